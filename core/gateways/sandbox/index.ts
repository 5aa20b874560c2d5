import { type Database, UniqueViolation } from '#core/database';
import type { Clock } from '#core/kernel';
import type { ChargeRequest, Connector, Outcome, ReferencedRequest, ReportPeriod, SettlementLine } from '../connector.ts';
import { entryOf, outcomeOf, paymentEntry } from './entry.ts';
import { LEDGER, type LedgerRow, MODES } from './ledger.ts';
import { type Travel, verdictOn } from './outcomes.ts';
import { settlementReport } from './report.ts';
import { createSampleBooks, type SampleBooks } from './sample-books.ts';

export { openSandboxLedger, SANDBOX_TABLES } from './ledger.ts';
export { SANDBOX_MIGRATIONS } from './migrations.ts';
export type { SampleBooks } from './sample-books.ts';

export type SandboxMode = 'normal' | 'down' | 'slow';

export interface SandboxGatewayOptions {
  /** Books of the simulator, from `openSandboxLedger()`. */
  readonly ledger: Database;
  readonly clockOf: (tenantId: string) => Clock;
  /** Time that the service waits for an answer that is never sent. */
  readonly timeoutMs?: number;
}

export interface SandboxGateway extends Connector {
  /** Plays an outage or a slow processor for one tenant, or for one of its gateways, until it is set back; set for all, it is so for all. */
  setMode(tenantId: string, mode: SandboxMode, gatewayId?: string): Promise<void>;
  modeOf(tenantId: string, gatewayId?: string): Promise<SandboxMode>;
  settlementReport(of: ReportPeriod): AsyncIterable<readonly SettlementLine[]>;
  /** Books for a history that is being made. */
  pastBooks(tenantId: string): SampleBooks;
  /** Empties the books of a tenant and plays no outage for it. */
  forget(tenantId: string): Promise<void>;
}

const TIMEOUT_MS = 2_000;
const SLOW_MS = 4_000;
const MODE_KEPT_MS = 1_000;
/** Replaces the gateway ID to mean all gateways of the tenant. */
const ALL = '';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The processor that sandbox tenants reach: designated cards, codes, addresses, amounts and accounts decide (decisions 5). */
export function createSandboxGateway(options: SandboxGatewayOptions): SandboxGateway {
  const { ledger, clockOf } = options;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  /** Another server may have changed a mode; on SQLite there is none. */
  const keptMs = ledger.kind === 'sqlite' ? Number.POSITIVE_INFINITY : MODE_KEPT_MS;
  const modes = new Map<string, { byGateway: ReadonlyMap<string, SandboxMode>; untilMs: number }>();
  /** Counts the changes made here: values read before a change must not be cached after it. */
  let changes = 0;

  async function modesOf(tenantId: string): Promise<ReadonlyMap<string, SandboxMode>> {
    const known = modes.get(tenantId);
    if (known && known.untilMs > performance.now()) return known.byGateway;
    const before = changes;
    const rows = await ledger.read(tenantId).find(MODES, { tenant_id: tenantId });
    const byGateway = new Map(rows.map((row) => [row.gateway_id, row.mode as SandboxMode]));
    if (before === changes) modes.set(tenantId, { byGateway, untilMs: performance.now() + keptMs });
    return byGateway;
  }

  /** A gateway's own mode, else that of all of the tenant's. */
  async function modeOf(tenantId: string, gatewayId?: string | null): Promise<SandboxMode> {
    const byGateway = await modesOf(tenantId);
    return byGateway.get(gatewayId ?? ALL) ?? byGateway.get(ALL) ?? 'normal';
  }

  async function setMode(tenantId: string, mode: SandboxMode, gatewayId: string = ALL): Promise<void> {
    await ledger.unitOfWork.run(tenantId, async (work) => {
      await work.delete(MODES, gatewayId === ALL ? { tenant_id: tenantId } : { gateway_id: gatewayId });
      if (mode !== 'normal') work.insert(MODES, { tenant_id: tenantId, gateway_id: gatewayId, mode });
    });
    changes += 1;
    modes.delete(tenantId);
  }

  async function delayed<Answer>(
    { tenantId, gatewayId }: { readonly tenantId: string; readonly gatewayId: string | null },
    answer: () => Promise<Answer>,
  ): Promise<Answer | Extract<Outcome, { kind: 'not-sent' }>> {
    const mode = await modeOf(tenantId, gatewayId);
    if (mode === 'down') return { kind: 'not-sent', reason: 'The sandbox gateway is down.', retry: 'unavailable' };
    if (mode === 'slow') await wait(SLOW_MS);
    return answer();
  }

  const nowOf = ({ tenantId }: Pick<ChargeRequest, 'tenantId'>) => clockOf(tenantId).now();

  /** Writes an entry and answers as it says; asked again with the same reference, it answers as the first time. */
  async function book(row: LedgerRow): Promise<Outcome> {
    try {
      await ledger.unitOfWork.record(row.tenant_id, (batch) => batch.insert(LEDGER, row));
      return outcomeOf(row);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      return outcomeOf((await ledger.read(row.tenant_id).one(LEDGER, { processor_ref: row.processor_ref })) ?? row);
    }
  }

  function pay(operation: 'sale' | 'auth' | 'credit', order: ChargeRequest): Promise<Outcome> {
    return delayed(order, async (): Promise<Outcome> => {
      const verdict = verdictOn(order);
      const { travel } = verdict;
      if (travel === 'never-received') return lost();
      if (travel === 'error') return { kind: 'not-sent', reason: 'The sandbox gateway answered with an error.', retry: 'error' };
      const answer = await book(paymentEntry(operation, order, verdict, nowOf(order)));
      return travelled(travel, answer);
    });
  }

  async function travelled(travel: Travel, answer: Outcome): Promise<Outcome> {
    return travel === 'answer-lost' ? lost() : answer;
  }

  async function lost(): Promise<Outcome> {
    await wait(timeoutMs);
    return { kind: 'unknown', cause: new Error(`no answer from the sandbox gateway within ${timeoutMs} ms`) };
  }

  function follow(operation: string, question: ReferencedRequest): Promise<Outcome> {
    return delayed(question, async () => {
      const refused = operation === 'refund' ? await refusesRefund(question) : null;
      const decided = refused ? ({ kind: 'declined', decline_code: refused } as const) : ({ kind: 'approved' } as const);
      return book(entryOf(question, operation, decided, nowOf(question)));
    });
  }

  async function refusesRefund(question: ReferencedRequest): Promise<string | null> {
    const read = ledger.read(question.tenantId);
    const paid = await read.one(LEDGER, { processor_ref: question.original.processorRef });
    if (paid?.refund_rule === 'decline') return 'R29';
    if (paid?.refund_rule !== 'decline-first') return null;
    const before = await read.find(LEDGER, { original_ref: question.original.processorRef, operation: 'refund' }, { limit: 1 });
    return before.length === 0 ? 'R01' : null;
  }

  return {
    name: 'sandbox',
    capabilities: {
      notFoundIsFinal: true,
      answersWithinMs: SLOW_MS + timeoutMs,
      cancelsCaptures: true,
      refundsUnsettled: 'all',
      returnsLate: false,
    },
    sell: (order) => pay('sale', order),
    authorize: (order) => pay('auth', order),
    credit: (order) => pay('credit', order),
    capture: (question) => follow('capture', question),
    cancelCapture: (question) => follow('cancel_capture', question),
    void: (question) => follow('void', question),
    refund: (question) => follow('refund', question),
    inquire: (of) =>
      delayed(of, async () => {
        const row = await ledger.read(of.tenantId).one(LEDGER, { processor_ref: of.processorRef });
        return row ? outcomeOf(row) : { kind: 'not-found' as const };
      }).then((answer) => (answer.kind === 'not-sent' ? { kind: 'unknown' as const, cause: answer.reason } : answer)),
    settlementReport: (of) => settlementReport(ledger, of),
    setMode,
    modeOf,
    pastBooks: (tenantId) => createSampleBooks(ledger, tenantId),
    async forget(tenantId) {
      await ledger.unitOfWork.run(tenantId, (work) => work.delete(LEDGER, { tenant_id: tenantId }));
      await setMode(tenantId, 'normal');
    },
  };
}
