import type { GuardedUpdate, Writer } from '#core/database';
import type { Outcome, PastBooks } from '#core/gateways';
import { type Actor, type Currency, isoTime, type Money, money, newId, tenantTime } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Source } from '#core/vault';
import { countStanding } from '../aggregates/counts.ts';
import { countMovement, recount } from '../aggregates/facts.ts';
import { questionOf } from '../attempts/ask.ts';
import { type AttemptFor, newAttempt, type Via } from '../attempts/attempts.ts';
import { HOLD_MS, watchExpiry } from '../capture/expiries.ts';
import { entryOf, transferOf } from '../entries.ts';
import { refundEvent, voidedEvent } from '../events.ts';
import type { Needs } from '../needs.ts';
import { type Final, reasonOf, resultOf } from '../outcome.ts';
import { refundable } from '../refund/eligibility.ts';
import { refundRow } from '../refund/refund.ts';
import { concluded, enterDecided } from '../sale/conclude.ts';
import { orderOf, rowOf } from '../sale/place.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { type Billing, toRefund, toTransaction } from '../transaction.ts';

/** A payment of the past: what it was, and how it stands once it was written. */
export interface PastPayment {
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
export interface PastStep {
  readonly kind: 'pay' | 'capture' | 'void' | 'refund';
  readonly atMs: number;
  readonly by: Actor;
  readonly payment: PastPayment;
  /** Of a capture or refund; without it the whole. */
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
 * Writes steps of a past in one batch, in their order, as the operations would have left them behind: for a history of a size that nobody waits for one
 * payment at a time. A declined payment has no later steps; one payment has at most one later step in a batch.
 * @param moveTo sets the clock that this core goes by
 * @param untilMs where the history ends: what falls due before is over
 */
export async function writePast(
  on: Needs,
  tenantId: string,
  steps: readonly PastStep[],
  books: PastBooks,
  moveTo: (ms: number) => void,
  untilMs: number,
): Promise<void> {
  await on.database.unitOfWork.record(tenantId, (batch) => {
    for (const step of steps) {
      moveTo(step.atMs);
      if (step.kind === 'pay') pay(on, batch, step, books, untilMs);
      else if (step.payment.row?.status === 'approved') change(on, batch, step, step.payment.row, books);
    }
  });
  await books.write();
}

function pay(on: Needs, batch: Writer, { atMs, by, payment }: PastStep, books: PastBooks, untilMs: number): void {
  const { type, amount, merchant, via, source } = payment;
  const draft = { ...payment, method: source.kind, sealed: null };
  const row = rowOf(on, by, draft, via);
  const asked = { transactionId: row.id, operation: type, via, amountMinor: amount.minor, currency: row.currency };
  const attempt = newAttempt(on, by, asked, row.processor_ref);
  const outcome = books.pay(type, orderOf(row, draft), atMs) as Final;
  const final = concluded(row, outcome, isoTime(atMs));
  batch.insert(TRANSACTIONS, final);
  batch.insert(ATTEMPTS, done(attempt, outcome, atMs));
  enterDecided(on, batch, attempt, final, resultOf(outcome), merchant, atMs);
  const endsMs = atMs + HOLD_MS;
  if (type === 'auth' && final.status === 'approved' && endsMs >= untilMs) void watchExpiry(batch, row.tenant_id, row.id, tenantTime(atMs));
  payment.row = final;
}

function done(attempt: AttemptRow, outcome: Outcome, atMs: number): AttemptRow {
  const final = outcome as Final;
  return { ...attempt, state: 'done', result: resultOf(final), reason: reasonOf(final), due_ms: null, concluded_at: isoTime(atMs) };
}

function change(on: Needs, batch: Writer, step: PastStep, row: TransactionRow, books: PastBooks): void {
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
  const attempt = newAttempt(on, by, asked);
  const outcome = books.follow(asked.operation as 'capture', questionOf(row, attempt), atMs);
  const changed = changedBy(step, row, amountMinor, at);
  batch.settle(CHANGE_PAYMENT, changed);
  batch.insert(ATTEMPTS, done(attempt, outcome, atMs));
  on.audit(batch, entryOf(attempt, row, 'approved'));
  recount(batch, row, changed);
  const about = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
  if (refundId !== undefined) {
    const asked = refundRow(row, refundId, money(amountMinor, row.currency as Currency), step, attempt.processor_ref, at);
    const refund = { ...asked, status: 'approved', refunded_at: at } as const;
    batch.insert(REFUNDS, refund);
    move(on, batch, payment, attempt, refundId, 'refund', amountMinor, atMs, refund);
    on.emit(batch, { ...about, ...refundEvent(toRefund(refund)) });
  } else if (kind === 'capture') {
    move(on, batch, payment, attempt, row.id, 'capture', amountMinor, atMs);
  } else {
    if (row.captured_minor > 0) move(on, batch, payment, attempt, row.id, 'capture_reversed', row.captured_minor, atMs);
    countStanding(batch, row, row.status, -1);
    countStanding(batch, row, 'voided', 1);
    on.emit(batch, { ...about, ...voidedEvent(toTransaction(changed)) });
  }
  payment.row = changed;
}

function changedBy({ kind, reason }: PastStep, row: TransactionRow, amountMinor: number, at: string): TransactionRow {
  if (kind === 'capture') return { ...row, captured_minor: amountMinor, captured_at: at, updated_at: at };
  if (kind === 'refund') return { ...row, refunded_minor: row.refunded_minor + amountMinor, updated_at: at };
  return { ...row, status: 'voided', captured_minor: 0, voided_at: at, void_reason: reason ?? null, updated_at: at };
}

/** Enters what moved in the ledger and among the day's counters. */
function move(
  on: Needs,
  batch: Writer,
  { merchant, row }: PastPayment,
  attempt: AttemptRow,
  subjectId: string,
  kind: 'capture' | 'capture_reversed' | 'refund',
  amountMinor: number,
  atMs: number,
  refund?: Parameters<typeof countMovement>[5],
): void {
  const transfer = transferOf(merchant, attempt, subjectId, kind, amountMinor, atMs);
  on.post(batch, transfer);
  countMovement(batch, row as TransactionRow, kind, amountMinor, transfer.day, refund);
}
