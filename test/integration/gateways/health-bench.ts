// A gateway whose questions stay open until the test answers them.
import { vi } from 'vitest';
import { money, parseCurrency } from '#core/kernel';
import type { ChargeRequest, Connector, Outcome, ReferencedRequest, StatusInquiry } from '../../../core/gateways/connector.ts';
import { createHealth, FAILURES_TO_OPEN, FIRST_OPEN_MS, type Health, type Probed } from '../../../core/gateways/health.ts';

export const ONE = { tenantId: 'ten_1', gatewayId: 'gw_1' };
export const OTHER = { tenantId: 'ten_1', gatewayId: 'gw_2' };
export const AMOUNT = money(1_200, parseCurrency('USD'));
export const QUESTION = { processorRef: 'A'.repeat(20), merchantId: 'mer_1', amount: AMOUNT, ...ONE };
export const CARD = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2030', brand: 'visa' } as const;
export const ORDER: ChargeRequest = { ...QUESTION, source: CARD };
export const FOLLOW_UP: ReferencedRequest = { ...QUESTION, original: { processorRef: 'B'.repeat(20), reference: '1' } };
export const INQUIRY: StatusInquiry = { ...ONE, processorRef: QUESTION.processorRef };
export const PERIOD = { tenantId: ONE.tenantId, from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };

export const APPROVED: Outcome = { kind: 'approved', reference: '1' };
export const DECLINED: Outcome = { kind: 'declined', declineCode: 'card_declined', declineReason: 'No.' };
export const LOST: Outcome = { kind: 'unknown', cause: 'No answer in time.' };
export const AWAY: Outcome = { kind: 'not-sent', reason: 'The connection was refused.', retry: 'unavailable' };
export const SET_UP: Outcome = { kind: 'not-sent', reason: 'The key is not known.', retry: 'error', alert: 'set-up' };

export type Heard = Outcome | { readonly kind: 'not-found' } | Error;
export interface Open {
  readonly operation: string;
  answer(heard: Heard): Promise<void>;
}

/** A gateway whose questions stay open until the test answers them, behind a guard. */
export class Bench {
  readonly open: Open[] = [];
  readonly told: string[] = [];
  readonly reports: string[] = [];
  probed: Probed | Error = { kind: 'silent', reason: 'Not a word.' };
  probes = 0;
  readonly health: Health = createHealth({
    probe: async () => {
      this.probes += 1;
      if (this.probed instanceof Error) throw this.probed;
      return this.probed;
    },
    changed: ({ gatewayId }) => this.told.push(`${gatewayId} ${this.health.standingOf(gatewayId).state}`),
    report: (message) => this.reports.push(message),
  });
  pages: (number[] | Error)[] = [];
  readonly connector: Connector = this.guarded();

  guarded(of = ONE, more: Partial<Connector['capabilities']> = {}): Connector {
    const ask = (operation: string) => () =>
      new Promise<never>((resolve, reject) => {
        const question: Open = {
          operation,
          answer: async (heard) => {
            this.open.splice(this.open.indexOf(question), 1);
            if (heard instanceof Error) reject(heard);
            else resolve(heard as never);
            await vi.advanceTimersByTimeAsync(0);
          },
        };
        this.open.push(question);
      });
    const read = async function* (this: Bench) {
      for (const page of this.pages) {
        if (page instanceof Error) throw page;
        yield page as never;
      }
    }.bind(this);
    return this.health.guard(of, {
      name: 'scripted',
      capabilities: {
        notFoundIsFinal: false,
        answersWithinMs: 60_000,
        cancelsCaptures: false,
        refundsUnsettled: 'none',
        returnsLate: true,
        ...more,
      },
      sell: ask('sell'),
      authorize: ask('authorize'),
      credit: ask('credit'),
      capture: ask('capture'),
      cancelCapture: ask('cancelCapture'),
      void: ask('void'),
      refund: ask('refund'),
      inquire: ask('inquire'),
      settlementReport: read,
      returns: read,
    });
  }

  get standing() {
    return this.health.standingOf(ONE.gatewayId);
  }

  /** Asks and answers one question; what the caller is told. */
  async sell(heard: Heard): Promise<Outcome | Error> {
    const asked = this.connector.sell(ORDER).catch((error: Error) => error);
    await this.open.at(-1)?.answer(heard);
    return asked;
  }

  async inquire(heard: Heard): Promise<unknown> {
    const asked = this.connector.inquire(INQUIRY).catch((error: Error) => error);
    await this.open.at(-1)?.answer(heard);
    return asked;
  }

  /** Begins a sale and leaves it open. */
  begin(): { readonly told: Promise<Outcome | Error>; readonly answer: (heard: Heard) => Promise<void> } {
    const told = this.connector.sell(ORDER).catch((error: Error) => error);
    const question = this.open.at(-1);
    if (!question) throw new Error('It was not sent.');
    return { told, answer: question.answer };
  }

  async break(): Promise<void> {
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) await this.sell(LOST);
  }

  async breakAndProbe(): Promise<void> {
    await this.break();
    this.probed = { kind: 'answers' };
    await vi.advanceTimersByTimeAsync(FIRST_OPEN_MS);
  }
}
