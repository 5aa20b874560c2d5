import { randomInt } from 'node:crypto';
import { type Database, UniqueViolation } from '#core/database';
import { type Clock, type Currency, isoTime, majorUnit, money, newId } from '#core/kernel';
import type { Connector, FollowUp, Order, Outcome, SettlementLine } from '../connector.ts';
import { LEDGER, type LedgerRow, MODES } from './ledger.ts';
import { decline, type Travel, verdictOn } from './outcomes.ts';

export { openSandboxLedger } from './ledger.ts';

export type SandboxMode = 'normal' | 'down' | 'slow';

export interface SandboxGatewayOptions {
  /** Its own books, from openSandboxLedger(). */
  readonly ledger: Database;
  readonly clockOf: (tenantId: string) => Clock;
  /** How long the service waits for an answer that never comes. */
  readonly timeoutMs?: number;
}

export interface SandboxGateway extends Connector {
  /** Plays an outage or a slow processor for one tenant, or for one of its gateways, until it is set back; set for all, it is so for all. */
  setMode(tenantId: string, mode: SandboxMode, gatewayId?: string): Promise<void>;
  modeOf(tenantId: string, gatewayId?: string): Promise<SandboxMode>;
  /** Empties the books of a tenant and plays no outage for it. */
  forget(tenantId: string): Promise<void>;
}

const TIMEOUT_MS = 2_000;
const SLOW_MS = 4_000;
const MODE_KEPT_MS = 1_000;
/** In the place of a gateway's id: all of the tenant's. */
const ALL = '';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Named endings of amounts that its settlement report gets wrong on purpose, so that reconciliation has something to find (decisions 5). */
const MISSING_ENDING = 13;
const SHORT_ENDING = 14;
const TWICE_ENDING = 15;

/** The processor that sandbox tenants reach: designated cards, codes, addresses, amounts and accounts decide (decisions 5). */
export function createSandboxGateway(options: SandboxGatewayOptions): SandboxGateway {
  const { ledger, clockOf } = options;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  /** Another server may have changed a mode; on SQLite there is none. */
  const keptMs = ledger.kind === 'sqlite' ? Number.POSITIVE_INFINITY : MODE_KEPT_MS;
  const modes = new Map<string, { byGateway: ReadonlyMap<string, SandboxMode>; untilMs: number }>();

  async function modesOf(tenantId: string): Promise<ReadonlyMap<string, SandboxMode>> {
    const known = modes.get(tenantId);
    if (known && known.untilMs > performance.now()) return known.byGateway;
    const rows = await ledger.read(tenantId).find(MODES, { tenant_id: tenantId });
    const byGateway = new Map(rows.map((row) => [row.gateway_id, row.mode as SandboxMode]));
    modes.set(tenantId, { byGateway, untilMs: performance.now() + keptMs });
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
      if (mode !== 'normal') await work.insert(MODES, { tenant_id: tenantId, gateway_id: gatewayId, mode });
    });
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

  function entry(
    question: Order | FollowUp,
    operation: string,
    outcome: { kind: 'approved' | 'declined' } & Partial<LedgerRow>,
  ): LedgerRow {
    const now = clockOf(question.tenantId).now();
    const { kind, ...rest } = outcome;
    return {
      tenant_id: question.tenantId,
      processor_ref: question.processorRef,
      reference: newId('pay', now).replace('pay_', 'sbx_'),
      operation,
      original_ref: 'original' in question ? question.original.processorRef : null,
      amount_minor: question.amount.minor,
      currency: question.amount.currency,
      approved: kind === 'approved' ? 1 : 0,
      auth_code: null,
      avs_response: null,
      cvv_response: null,
      decline_code: null,
      refund_rule: null,
      last4: null,
      at: isoTime(now),
      ...rest,
    };
  }

  function pay(operation: 'sale' | 'auth' | 'credit', order: Order): Promise<Outcome> {
    return delayed(order, async (): Promise<Outcome> => {
      const { outcome, travel, refundRule } = verdictOn(order);
      if (travel === 'never-received') return lost();
      if (travel === 'error') return { kind: 'not-sent', reason: 'The sandbox gateway answered with an error.', retry: 'error' };
      const approved = outcome.kind === 'approved';
      const answer = await book(
        entry(order, operation, {
          kind: outcome.kind,
          auth_code: approved && operation !== 'credit' ? String(randomInt(100_000, 1_000_000)) : null,
          avs_response: outcome.avsResponse ?? null,
          cvv_response: outcome.cvvResponse ?? null,
          decline_code: outcome.kind === 'declined' ? outcome.declineCode : null,
          refund_rule: refundRule,
          last4: (order.source.kind === 'card' ? order.source.number : order.source.accountNumber).slice(-4),
        }),
      );
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

  function follow(operation: string, question: FollowUp): Promise<Outcome> {
    return delayed(question, async () => {
      const refused = operation === 'refund' ? await refusesRefund(question) : null;
      return book(
        refused
          ? entry(question, operation, { kind: 'declined', decline_code: refused })
          : entry(question, operation, { kind: 'approved' }),
      );
    });
  }

  async function refusesRefund(question: FollowUp): Promise<string | null> {
    const read = ledger.read(question.tenantId);
    const paid = await read.one(LEDGER, { processor_ref: question.original.processorRef });
    if (paid?.refund_rule === 'decline') return 'R29';
    if (paid?.refund_rule !== 'decline-first') return null;
    const before = await read.find(LEDGER, { original_ref: question.original.processorRef, operation: 'refund' }, { limit: 1 });
    return before.length === 0 ? 'R01' : null;
  }

  return {
    name: 'sandbox',
    capabilities: { notFoundIsFinal: true, answersWithinMs: SLOW_MS + timeoutMs },
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
    settlementReport: async ({ tenantId, from, to }) => {
      const rows = await ledger
        .read(tenantId)
        .all<LedgerRow>(
          `SELECT ${LEDGER.columns.join(', ')} FROM sandbox_ledger WHERE tenant_id = :tenantId AND approved = 1 AND at >= :from AND at < :to ORDER BY reference`,
          { from, to },
        );
      return settled(rows);
    },
    setMode,
    modeOf,
    async forget(tenantId) {
      await ledger.unitOfWork.run(tenantId, (work) => work.delete(LEDGER, { tenant_id: tenantId }));
      await setMode(tenantId, 'normal');
    },
  };
}

function outcomeOf(row: LedgerRow): Outcome {
  const checks = { avsResponse: row.avs_response ?? undefined, cvvResponse: row.cvv_response ?? undefined };
  if (row.approved === 0) return { ...decline(row.decline_code ?? 'card_declined'), ...checks };
  return { kind: 'approved', reference: row.reference, authCode: row.auth_code ?? undefined, ...checks };
}

/** The report: what was taken and not taken back, with its deliberate faults. */
function settled(rows: readonly LedgerRow[]): SettlementLine[] {
  const undone = new Set(rows.filter((row) => row.operation === 'void').map((row) => row.original_ref));
  const cancelledAt = new Map(rows.filter((row) => row.operation === 'cancel_capture').map((row) => [row.original_ref, row.at]));
  return rows.flatMap((row) => {
    const capture = row.operation === 'sale' || row.operation === 'capture';
    if (!capture && row.operation !== 'refund') return [];
    const payment = row.original_ref ?? row.processor_ref;
    if (undone.has(payment) || (capture && (cancelledAt.get(payment) ?? '') > row.at)) return [];
    return capture ? reported(row) : [lineOf(row, row.amount_minor)];
  });
}

function reported(row: LedgerRow): SettlementLine[] {
  const unit = majorUnit(row.currency as Currency);
  switch (unit === 100 ? row.amount_minor % 100 : 0) {
    case MISSING_ENDING:
      return [];
    case SHORT_ENDING:
      return [lineOf(row, row.amount_minor - unit)];
    case TWICE_ENDING:
      return [lineOf(row, row.amount_minor), lineOf(row, row.amount_minor)];
    default:
      return [lineOf(row, row.amount_minor)];
  }
}

function lineOf(row: LedgerRow, minor: number): SettlementLine {
  return {
    reference: row.reference,
    processorRef: row.original_ref ?? row.processor_ref,
    kind: row.operation === 'refund' ? 'refund' : 'capture',
    amount: money(minor, row.currency as Currency),
    at: row.at,
  };
}
