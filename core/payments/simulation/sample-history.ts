import type { GuardedUpdate, Writer } from '#core/database';
import type { Outcome, SampleBooks } from '#core/gateways';
import { type Actor, type Currency, isoTime, type Money, money, newId, tenantTime } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Source } from '#core/vault';
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import { countStanding } from '../aggregates/list-counters.ts';
import { type AttemptFor, newAttempt, type Via } from '../attempts/attempts.ts';
import { gatewayRequestOf } from '../attempts/call-gateway.ts';
import { auditEntryOf, transferOf } from '../audit-and-ledger.ts';
import { HOLD_MS, watchExpiry } from '../capture/expiries.ts';
import type { Dependencies } from '../dependencies.ts';
import { refundEvent, voidedEvent } from '../events.ts';
import { reasonOf, resultOf, type TerminalOutcome } from '../outcome.ts';
import { refundable } from '../refund/eligibility.ts';
import { refundRow } from '../refund/refund.ts';
import { concluded, enterDecided } from '../sale/conclude.ts';
import { chargeRequestOf, rowOf } from '../sale/submit-payment.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { type Billing, toRefund, toTransaction } from '../transaction.ts';

/** A past payment, with its state after it is written. */
export interface SamplePayment {
  readonly type: 'sale' | 'auth';
  readonly amount: Money;
  readonly merchant: Merchant;
  readonly via: Via;
  readonly source: Source;
  readonly token: string;
  readonly billing?: Billing;
  readonly details: Partial<TransactionRow>;
  row: TransactionRow | null;
}

/** Something that was done at a time: a payment is taken, or an earlier one changed. */
export interface SampleStep {
  readonly kind: 'pay' | 'capture' | 'void' | 'refund';
  readonly atMs: number;
  readonly by: Actor;
  readonly payment: SamplePayment;
  /** Amount of a capture or refund; by default the full amount. */
  readonly amountMinor?: number;
  readonly reason?: string;
}

export const CHANGE_PAYMENT: GuardedUpdate<TransactionRow> = {
  table: TRANSACTIONS,
  where: ['tenant_id', 'id'],
  set: ['status', 'captured_minor', 'captured_at', 'refunded_minor', 'voided_at', 'void_reason', 'updated_at'],
  guard: "status = 'approved'",
};

/**
 * Writes the steps of a history in one batch, in order, with the effects of the real operations. Used for histories too long to make one
 * payment at a time. A declined payment has no later steps; a batch holds at most one later step per payment. @param moveTo sets the clock
 * of this core. @param untilMs end of the history: everything due before it has happened.
 */
export async function writeSampleHistory(
  deps: Dependencies,
  tenantId: string,
  steps: readonly SampleStep[],
  books: SampleBooks,
  moveTo: (ms: number) => void,
  untilMs: number,
): Promise<void> {
  await deps.database.unitOfWork.record(tenantId, (batch) => {
    for (const step of steps) {
      moveTo(step.atMs);
      if (step.kind === 'pay') pay(deps, batch, step, books, untilMs);
      else if (step.payment.row?.status === 'approved') change(deps, batch, step, step.payment.row, books);
    }
  });
  await books.write();
}

function pay(deps: Dependencies, batch: Writer, { atMs, by, payment }: SampleStep, books: SampleBooks, untilMs: number): void {
  const { type, amount, merchant, via, source } = payment;
  const draft = { ...payment, method: source.kind, sealed: null };
  const row = rowOf(deps, by, draft, via);
  const asked = { transactionId: row.id, operation: type, via, amountMinor: amount.minor, currency: row.currency };
  const attempt = newAttempt(deps, by, asked, row.processor_ref);
  const outcome = books.pay(type, chargeRequestOf(row, draft), atMs) as TerminalOutcome;
  const final = concluded(row, outcome, isoTime(atMs));
  batch.insert(TRANSACTIONS, final);
  batch.insert(ATTEMPTS, done(attempt, outcome, atMs));
  enterDecided(deps, batch, attempt, final, resultOf(outcome), merchant, atMs);
  const endsMs = atMs + HOLD_MS;
  if (type === 'auth' && final.status === 'approved' && endsMs >= untilMs) void watchExpiry(batch, row.tenant_id, row.id, tenantTime(atMs));
  payment.row = final;
}

function done(attempt: AttemptRow, outcome: Outcome, atMs: number): AttemptRow {
  const final = outcome as TerminalOutcome;
  return { ...attempt, state: 'done', result: resultOf(final), reason: reasonOf(final), due_ms: null, concluded_at: isoTime(atMs) };
}

function change(deps: Dependencies, batch: Writer, step: SampleStep, row: TransactionRow, books: SampleBooks): void {
  const { kind, atMs, by, payment } = step;
  const at = isoTime(atMs);
  const left = kind === 'refund' ? refundable(row).minor : row.amount_minor;
  const amountMinor = step.amountMinor ?? left;
  const refundId = kind === 'refund' ? newId('ref', atMs) : undefined;
  const asked: AttemptFor = {
    transactionId: row.id,
    refundId,
    operation: kind as 'capture' | 'void' | 'refund',
    via: row,
    amountMinor,
    currency: row.currency,
  };
  const attempt = newAttempt(deps, by, asked);
  const outcome = books.follow(asked.operation as 'capture', gatewayRequestOf(row, attempt), atMs);
  const changed = changedBy(step, row, amountMinor, at);
  batch.guardedUpdate(CHANGE_PAYMENT, changed);
  batch.insert(ATTEMPTS, done(attempt, outcome, atMs));
  deps.audit(batch, auditEntryOf(attempt, row, 'approved'));
  recount(batch, row, changed);
  const about = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
  if (refundId !== undefined) {
    const asked = refundRow(row, refundId, money(amountMinor, row.currency as Currency), step, attempt.processor_ref, at);
    const refund = { ...asked, status: 'approved', refunded_at: at } as const;
    batch.insert(REFUNDS, refund);
    move(deps, batch, payment, attempt, refundId, 'refund', amountMinor, atMs, refund);
    deps.emit(batch, { ...about, ...refundEvent(toRefund(refund)) });
  } else if (kind === 'capture') {
    move(deps, batch, payment, attempt, row.id, 'capture', amountMinor, atMs);
  } else {
    if (row.captured_minor > 0) move(deps, batch, payment, attempt, row.id, 'capture_reversed', row.captured_minor, atMs);
    countStanding(batch, row, row.status, -1);
    countStanding(batch, row, 'voided', 1);
    deps.emit(batch, { ...about, ...voidedEvent(toTransaction(changed)) });
  }
  payment.row = changed;
}

function changedBy({ kind, reason }: SampleStep, row: TransactionRow, amountMinor: number, at: string): TransactionRow {
  if (kind === 'capture') return { ...row, captured_minor: amountMinor, captured_at: at, updated_at: at };
  if (kind === 'refund') return { ...row, refunded_minor: row.refunded_minor + amountMinor, updated_at: at };
  return { ...row, status: 'voided', captured_minor: 0, voided_at: at, void_reason: reason ?? null, updated_at: at };
}

/** Enters what moved in the ledger and among the day's counters. */
function move(
  deps: Dependencies,
  batch: Writer,
  { merchant, row }: SamplePayment,
  attempt: AttemptRow,
  subjectId: string,
  kind: 'capture' | 'capture_reversed' | 'refund',
  amountMinor: number,
  atMs: number,
  refund?: Parameters<typeof countMovement>[5],
): void {
  const transfer = transferOf(merchant, attempt, subjectId, kind, amountMinor, atMs);
  deps.post(batch, transfer);
  countMovement(batch, row as TransactionRow, kind, amountMinor, transfer.day, refund);
}
