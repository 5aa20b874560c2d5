import { EventEmitter } from 'node:events';
import { Cache, type Database, UniqueViolation } from '#core/database';
import type { Clock, Money } from '#core/kernel';
import type { ChargeRequest, Connector, ReferencedRequest, ReportPeriod, SettlementLine } from '../connector.ts';
import type { HostedPageConnector } from '../hosted-pages.ts';
import type { Outcome } from '../outcome.ts';
import type { TerminalConnector } from '../terminals.ts';
import { newEntry, outcomeOf, paymentEntry } from './entry.ts';
import { createSandboxHostedPages, type SandboxCardInput, type SandboxHostedPage, type SandboxPageResult } from './hosted-pages.ts';
import { DIALOGS, HOSTED_PAGES, LEDGER, type LedgerRow, MODES } from './ledger.ts';
import { decide, isDeclinedAmount } from './outcomes.ts';
import { createSandboxReaders, type ReaderInput } from './readers.ts';
import type { ReaderScreen } from './records.ts';
import { settlementReport } from './report.ts';
import { createSampleBooks, type SampleBooks } from './sample-books.ts';

export { installationOfLedger, openSandboxLedger, SANDBOX_TABLES } from './ledger.ts';
export { SANDBOX_MIGRATIONS } from './migrations.ts';
export type { ReaderInput } from './readers.ts';
export { ReaderScreen } from './records.ts';
export type { SampleBooks } from './sample-books.ts';

/**
 * `down`: requests do not arrive. `slow`: answers arrive after 4 s, or when this server sets another mode. `silent`: requests are executed, but
 * no answer arrives, not even to inquiries.
 */
export const SANDBOX_MODES = ['normal', 'down', 'slow', 'silent'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

interface SandboxGatewayOptions {
  /** Ledger of the simulator, from `openSandboxLedger()`. */
  readonly ledger: Database;
  readonly clockOf: (tenantId: string) => Clock;
  /** Returns the address of a page of this server. */
  readonly pageUrl?: (path: string) => string;
  /** Time that the service waits for a response that is never sent. */
  readonly timeoutMs?: number;
  /** Time that answers take in the mode `slow`. */
  readonly slowMs?: number;
}

export interface SandboxGateway extends Connector {
  /** Simulates an outage or a slow processor, for one gateway of a tenant or all of them, until the mode is reset. Setting all overwrites the modes of single gateways. */
  setMode(tenantId: string, mode: SandboxMode, gatewayId?: string): Promise<void>;
  modeOf(tenantId: string, gatewayId?: string): Promise<SandboxMode>;
  settlementReport(request: ReportPeriod): AsyncIterable<readonly SettlementLine[]>;
  /** Adds the return of a bank payment to the report. */
  recordReturn(tenantId: string, processorRef: string, amount: Money): Promise<void>;
  /** Returns the ledger for a sample history. */
  sampleBooks(tenantId: string): SampleBooks;
  /** Runs the action of a person at a simulated card reader. */
  presentToReader(tenantId: string, deviceId: string, input: ReaderInput): Promise<ReaderScreen>;
  /** Returns what a simulated card reader shows. */
  readerScreen(tenantId: string, deviceId: string): Promise<ReaderScreen>;
  readonly terminals: TerminalConnector;
  readonly hostedPages: HostedPageConnector;
  /** Returns a payment page of the sandbox processor by its token. @throws ServiceError NOT_FOUND. */
  hostedPage(token: string): Promise<SandboxHostedPage>;
  /** Pays a payment page as a payer does. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT, INVALID_CARD_NUMBER. */
  payHostedPage(token: string, card: SandboxCardInput): Promise<SandboxPageResult>;
  /** Deletes the ledger of a tenant and resets its mode. */
  forget(tenantId: string): Promise<void>;
}

const TIMEOUT_MS = 2_000;
const SLOW_MS = 4_000;
const SILENT = 'The sandbox gateway loses its answers.';
const NO_RESULT = 'The sandbox gateway never shows payments with this card.';
/** Replaces the gateway ID to mean all gateways of the tenant. */
const ALL = '';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates the processor of sandbox tenants. Designated cards, codes, addresses, amounts and accounts determine the outcome. */
export function createSandboxGateway(options: SandboxGatewayOptions): SandboxGateway {
  const { ledger, clockOf } = options;
  const { timeoutMs = TIMEOUT_MS, slowMs = SLOW_MS } = options;
  const modes = new Cache<ReadonlyMap<string, SandboxMode>>(ledger, 'sandbox-modes');
  /** Emits the ID of a tenant when one of its modes changes in a process of this server. */
  const modeChanges = new EventEmitter().setMaxListeners(0);
  ledger.cacheChanges?.subscribe('sandbox-modes', (tenantId) => tenantId !== null && modeChanges.emit(tenantId));

  /** Returns the mode of a gateway, or else that of all gateways of the tenant. */
  async function modeOf(tenantId: string, gatewayId?: string | null): Promise<SandboxMode> {
    const byGateway = await modes.through(tenantId, async () => {
      const rows = await ledger.read(tenantId).find(MODES, { tenant_id: tenantId });
      return new Map(rows.map((row) => [row.gateway_id, row.mode as SandboxMode]));
    });
    return byGateway.get(gatewayId ?? ALL) ?? byGateway.get(ALL) ?? 'normal';
  }

  async function setMode(tenantId: string, mode: SandboxMode, gatewayId: string = ALL): Promise<void> {
    await ledger.unitOfWork.transaction(tenantId, async (work) => {
      await work.delete(MODES, gatewayId === ALL ? { tenant_id: tenantId } : { gateway_id: gatewayId });
      if (mode !== 'normal') work.insert(MODES, { tenant_id: tenantId, gateway_id: gatewayId, mode });
    });
    modes.delete(tenantId);
    modeChanges.emit(tenantId);
  }

  /** Waits for the answer of a slow gateway, at most until its mode changes. */
  async function waitWhileSlow(tenantId: string, gatewayId: string | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, slowMs);
    const check = () => void modeOf(tenantId, gatewayId).then((mode) => mode === 'slow' || resolve(), resolve);
    modeChanges.on(tenantId, check);
    check();
    await promise;
    modeChanges.off(tenantId, check);
    clearTimeout(timer);
  }

  async function withMode<Answer>(
    { tenantId, gatewayId }: { readonly tenantId: string; readonly gatewayId: string | null },
    answer: () => Promise<Answer>,
  ): Promise<Answer | Extract<Outcome, { kind: 'not-sent' }>> {
    const mode = await modeOf(tenantId, gatewayId);
    if (mode === 'down') return { kind: 'not-sent', reason: 'The sandbox gateway is down.', retry: 'unavailable' };
    if (mode === 'slow') await waitWhileSlow(tenantId, gatewayId);
    return answer();
  }

  const nowOf = ({ tenantId }: Pick<ChargeRequest, 'tenantId'>) => clockOf(tenantId).now();

  /** Writes an entry and returns its outcome. A repeated reference returns the outcome of the first request. */
  async function record(row: LedgerRow, requested?: Money): Promise<Outcome> {
    try {
      await ledger.unitOfWork.writeBatch(row.tenant_id, (batch) => batch.insert(LEDGER, row));
      return outcomeOf(row, requested);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      return outcomeOf((await ledger.read(row.tenant_id).one(LEDGER, { processor_ref: row.processor_ref })) ?? row, requested);
    }
  }

  function pay(operation: 'sale' | 'auth' | 'credit', sent: ChargeRequest): Promise<Outcome> {
    return withMode(sent, async (): Promise<Outcome> => {
      const charge = await withStoredCard(sent);
      const decision = decide(charge);
      const { delivery: travel } = decision;
      if (travel === 'never-received') return lost();
      if (travel === 'error') return { kind: 'not-sent', reason: 'The sandbox gateway responded with an error.', retry: 'error' };
      const answer = await record(paymentEntry(operation, charge, decision, nowOf(charge)), charge.amount);
      return travel === 'answer-lost' ? lost() : deliver(charge, answer);
    });
  }

  /** Returns a charge with the number of the card that a verification on a card reader stored here. */
  async function withStoredCard(charge: ChargeRequest): Promise<ChargeRequest> {
    const { source, tenantId } = charge;
    if (source.kind !== 'card-at-gateway') return charge;
    return { ...charge, source: (await readers.storedCard(tenantId, source.reference)) ?? source };
  }

  /** Returns the answer, or its loss in the mode `silent`. */
  async function deliver({ tenantId, gatewayId }: ReferencedRequest | ChargeRequest, answer: Outcome): Promise<Outcome> {
    return (await modeOf(tenantId, gatewayId)) === 'silent' ? lost() : answer;
  }

  async function lost(): Promise<Outcome> {
    await wait(timeoutMs);
    return { kind: 'unknown', cause: new Error(`no response from the sandbox gateway within ${timeoutMs} ms`) };
  }

  function changePayment(operation: string, request: ReferencedRequest): Promise<Outcome> {
    return withMode(request, async () => {
      const refused = await declineCodeOf(operation, request);
      const decided = refused ? ({ kind: 'declined', decline_code: refused } as const) : ({ kind: 'approved' } as const);
      return deliver(request, await record(newEntry(request, operation, decided, nowOf(request))));
    });
  }

  async function declineCodeOf(operation: string, request: ReferencedRequest): Promise<string | null> {
    if (operation === 'adjust') return isDeclinedAmount(request) ? 'exceeds_limit' : null;
    return operation === 'refund' ? refundDeclineCode(request) : null;
  }

  async function refundDeclineCode(request: ReferencedRequest): Promise<string | null> {
    const read = ledger.read(request.tenantId);
    const payment = await read.one(LEDGER, { processor_ref: request.original.processorRef });
    if (payment?.refund_rule === 'decline') return 'R29';
    if (payment?.refund_rule !== 'decline-first') return null;
    const previous = await read.find(LEDGER, { original_ref: request.original.processorRef, operation: 'refund' }, { limit: 1 });
    return previous.length === 0 ? 'R01' : null;
  }

  const readers = createSandboxReaders({
    ledger,
    withMode,
    async isSilent(tenantId, gatewayId) {
      const mode = await modeOf(tenantId, gatewayId);
      return mode === 'silent' || mode === 'down';
    },
    lost,
    nowOf,
  });

  const hostedPages = createSandboxHostedPages({
    ledger,
    withMode,
    isSilent: async (tenantId, gatewayId) => (await modeOf(tenantId, gatewayId)) === 'silent',
    lost,
    nowOf,
    pageUrl: options.pageUrl ?? ((path) => `http://localhost${path}`),
  });

  return {
    name: 'sandbox',
    capabilities: {
      notFoundIsFinal: true,
      answersWithinMs: slowMs + timeoutMs,
      cancelsCaptures: true,
      refundsUnsettled: 'all',
      adjustsAmounts: true,
      returnsLate: false,
    },
    purchase: (charge) => pay('sale', charge),
    authorize: (charge) => pay('auth', charge),
    credit: (charge) => pay('credit', charge),
    capture: (request) => changePayment('capture', request),
    cancelCapture: (request) => changePayment('cancel_capture', request),
    adjust: (request) => changePayment('adjust', request),
    void: (request) => changePayment('void', request),
    refund: (request) => changePayment('refund', request),
    inquire: (request) =>
      withMode(request, async () => {
        // Without the waiting time of a real inquiry, so that programs see the next attempt sooner.
        if ((await modeOf(request.tenantId, request.gatewayId)) === 'silent') return { kind: 'unknown' as const, cause: SILENT };
        const row = await ledger.read(request.tenantId).one(LEDGER, { processor_ref: request.processorRef });
        if (row?.refund_rule === 'no-result') return { kind: 'unknown' as const, cause: NO_RESULT, isNotYetShown: true as const };
        const requested = request.sent?.allowsPartialApproval ? request.sent.amount : undefined;
        return row ? outcomeOf(row, requested) : { kind: 'not-found' as const };
      }).then((answer) => (answer.kind === 'not-sent' ? { kind: 'unknown' as const, cause: answer.reason } : answer)),
    settlementReport: (request) => settlementReport(ledger, request),
    setMode,
    modeOf,
    terminals: readers.terminals,
    hostedPages: hostedPages.connector,
    hostedPage: hostedPages.show,
    payHostedPage: hostedPages.pay,
    presentToReader: readers.present,
    readerScreen: readers.screenOf,
    async recordReturn(tenantId, originalRef, amount) {
      if (amount.minor === 0) return;
      const request = { tenantId, processorRef: `${originalRef}-return`, original: { processorRef: originalRef }, amount };
      await record(newEntry(request, 'refund', { kind: 'approved' }, clockOf(tenantId).now()));
    },
    sampleBooks: (tenantId) => createSampleBooks(ledger, tenantId),
    async forget(tenantId) {
      await ledger.unitOfWork.transaction(tenantId, (work) => work.delete(LEDGER, { tenant_id: tenantId }));
      await ledger.unitOfWork.transaction(tenantId, (work) => work.delete(DIALOGS, { tenant_id: tenantId }));
      await ledger.unitOfWork.transaction(tenantId, (work) => work.delete(HOSTED_PAGES, { tenant_id: tenantId }));
      await setMode(tenantId, 'normal');
    },
  };
}
