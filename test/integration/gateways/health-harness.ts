// A gateway whose requests stay open until the test answers them.
import { vi } from 'vitest';
import { money, NO_OTHER_PROCESSES, type ProcessExchange, parseCurrency } from '#core/kernel';
import type { ChargeRequest, Connector, ReferencedRequest, StatusInquiry } from '../../../core/processing/gateways/connector.ts';
import { createHealth, FAILURES_TO_OPEN, FIRST_OPEN_MS, type Health, type ProbeResult } from '../../../core/processing/gateways/health.ts';
import type { Outcome } from '../../../core/processing/gateways/outcome.ts';

export const ONE = { tenantId: 'ten_1', gatewayId: 'gw_1' };
export const OTHER = { tenantId: 'ten_1', gatewayId: 'gw_2' };
export const AMOUNT = money(1_200, parseCurrency('USD'));
const REQUEST_FIELDS = { processorRef: 'A'.repeat(20), merchantId: 'mer_1', amount: AMOUNT, ...ONE };
export const CARD = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2030', brand: 'visa' } as const;
export const ORDER: ChargeRequest = { ...REQUEST_FIELDS, source: CARD, channel: 'phone' };
export const FOLLOW_UP: ReferencedRequest = { ...REQUEST_FIELDS, original: { processorRef: 'B'.repeat(20), reference: '1' } };
export const INQUIRY: StatusInquiry = { ...ONE, processorRef: REQUEST_FIELDS.processorRef };
export const PERIOD = { tenantId: ONE.tenantId, from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };

export const APPROVED: Outcome = { kind: 'approved', reference: '1' };
export const DECLINED: Outcome = { kind: 'declined', declineCode: 'card_declined', declineReason: 'No.' };
export const UNKNOWN: Outcome = { kind: 'unknown', cause: 'No answer in time.' };
export const UNAVAILABLE: Outcome = { kind: 'not-sent', reason: 'The connection was refused.', retry: 'unavailable' };
export const MISCONFIGURED: Outcome = { kind: 'not-sent', reason: 'The key is not known.', retry: 'error', alert: 'set-up' };

export type GatewayResult = Outcome | { readonly kind: 'not-found' } | Error;
export interface OpenRequest {
  readonly operation: string;
  answer(result: GatewayResult): Promise<void>;
}

/** A gateway with circuit breaker whose requests stay open until the test answers them. */
export class HealthHarness {
  readonly open: OpenRequest[] = [];
  readonly stateChanges: string[] = [];
  readonly reports: string[] = [];
  probeResult: ProbeResult | Error = { kind: 'silent', reason: 'Not a word.' };
  probes = 0;
  readonly health: Health;
  pages: (number[] | Error)[] = [];
  readonly connector: Connector;

  constructor(processes: ProcessExchange = NO_OTHER_PROCESSES) {
    this.health = createHealth({
      processes,
      probe: async () => {
        this.probes += 1;
        if (this.probeResult instanceof Error) throw this.probeResult;
        return this.probeResult;
      },
      changed: ({ gatewayId }) => this.stateChanges.push(`${gatewayId} ${this.health.healthOf(gatewayId).state}`),
      report: (message) => this.reports.push(message),
    });
    this.connector = this.guarded();
  }

  guarded(gateway = ONE, more: Partial<Connector['capabilities']> = {}): Connector {
    const ask = (operation: string) => () =>
      new Promise<never>((resolve, reject) => {
        const request: OpenRequest = {
          operation,
          answer: async (result) => {
            this.open.splice(this.open.indexOf(request), 1);
            if (result instanceof Error) reject(result);
            else resolve(result as never);
            await vi.advanceTimersByTimeAsync(0);
          },
        };
        this.open.push(request);
      });
    const read = async function* (this: HealthHarness) {
      for (const page of this.pages) {
        if (page instanceof Error) throw page;
        yield page as never;
      }
    }.bind(this);
    return this.health.guard(gateway, {
      name: 'scripted',
      capabilities: {
        notFoundIsFinal: false,
        answersWithinMs: 60_000,
        cancelsCaptures: false,
        refundsUnsettled: 'none',
        adjustsAmounts: false,
        returnsLate: true,
        ...more,
      },
      purchase: ask('sell'),
      authorize: ask('authorize'),
      credit: ask('credit'),
      capture: ask('capture'),
      cancelCapture: ask('cancelCapture'),
      adjust: ask('adjust'),
      void: ask('void'),
      refund: ask('refund'),
      inquire: ask('inquire'),
      settlementReport: read,
      returns: read,
    });
  }

  get status() {
    return this.health.healthOf(ONE.gatewayId);
  }

  /** Sends and answers one request; returns the caller's result. */
  async sell(result: GatewayResult): Promise<Outcome | Error> {
    const sent = this.connector.purchase(ORDER).catch((error: Error) => error);
    await this.open.at(-1)?.answer(result);
    return sent;
  }

  async inquire(result: GatewayResult): Promise<unknown> {
    const sent = this.connector.inquire(INQUIRY).catch((error: Error) => error);
    await this.open.at(-1)?.answer(result);
    return sent;
  }

  /** Starts a sale and leaves it open. */
  beginSale(): { readonly outcome: Promise<Outcome | Error>; readonly answer: (result: GatewayResult) => Promise<void> } {
    const outcome = this.connector.purchase(ORDER).catch((error: Error) => error);
    const request = this.open.at(-1);
    if (!request) throw new Error('It was not sent.');
    return { outcome, answer: request.answer };
  }

  async openCircuit(): Promise<void> {
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await this.sell(UNKNOWN);
  }

  async openAndProbe(): Promise<void> {
    await this.openCircuit();
    this.probeResult = { kind: 'answers' };
    await vi.advanceTimersByTimeAsync(FIRST_OPEN_MS);
  }
}
