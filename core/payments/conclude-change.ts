import type { Work } from '#core/database';
import { formatMoney } from '#core/documents';
import { assert, type Currency, isoTime, money, notBefore, ServiceError } from '#core/kernel';
import { PAYER_WORDS } from '#core/notifications';
import { onceNameOf } from '#core/once';
import { countStanding } from './counts.ts';
import { holdsMoney } from './decline-queue/entry.ts';
import { afterRetry, keepEntry, lockEntryOf, newEntry } from './decline-queue/outcome.ts';
import { entryOf, transferOf, whoAsked } from './entries.ts';
import { refundEvent, voidedEvent } from './events.ts';
import { watchExpiryAgain } from './expiries.ts';
import { countMovement, recount } from './facts.ts';
import { type Ending, finishAttempt, type Needs } from './needs.ts';
import { type Final, reasonOf, refusal, resultOf } from './outcome.ts';
import { lockRefund, lockTransaction, toRefund, toTransaction } from './repository.ts';
import { type AttemptRow, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from './schema.ts';

/** Ends a capture, its cancellation, a void or a refund: the record changes with the attempt in one unit of work. */
export async function concludeChange(on: Needs, attempt: AttemptRow, outcome: Final): Promise<Ending> {
  const failed = outcome.kind === 'not-sent' ? refusal(outcome, attempt) : null;
  const error = failed ?? refusedChange(attempt, outcome);
  const once = onceNameOf(attempt);
  const ending = await on.database.unitOfWork.run(attempt.tenant_id, async (work): Promise<Ending> => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const now = notBefore(on.clockOf(attempt.tenant_id).now(), row.updated_at);
    const mine = await finishAttempt(work, attempt, resultOf(outcome), reasonOf(outcome), isoTime(now));
    const present =
      attempt.operation === 'refund'
        ? { refund: toRefund(await changeRefund(on, work, attempt, row, outcome, now, mine)) }
        : { transaction: toTransaction(mine ? await changeTransaction(on, work, attempt, row, outcome, now) : row) };
    if (mine) on.audit(work, entryOf(attempt, row, resultOf(outcome)));
    if (once && failed) await on.once.release(work, once);
    else if (once) await on.once.finishIn(work, once, on.renderAnswer(once.route, error ? { error } : present));
    work.afterCommit(() => on.changed(attempt.tenant_id, 'transactions'));
    return present;
  });
  if (error) throw error;
  return ending;
}

/** A declined refund is a refund with that status; any other declined change left everything as it was. */
function refusedChange(attempt: AttemptRow, outcome: Final): ServiceError | null {
  if (outcome.kind !== 'declined' || attempt.operation === 'refund') return null;
  return new ServiceError('TRANSACTION_DECLINED', `The gateway refused: ${outcome.declineReason}`, {
    details: { transactionId: attempt.transaction_id, declineCode: outcome.declineCode },
  });
}

async function changeTransaction(
  on: Needs,
  work: Work,
  attempt: AttemptRow,
  row: TransactionRow,
  outcome: Final,
  nowMs: number,
): Promise<TransactionRow> {
  const at = isoTime(nowMs);
  const set: Partial<TransactionRow> = { busy_attempt: null, updated_at: at };
  if (outcome.kind === 'approved') {
    await enter(on, work, attempt, row, nowMs);
    switch (attempt.operation) {
      case 'capture':
        Object.assign(set, { captured_minor: attempt.amount_minor, captured_at: at });
        break;
      case 'cancel_capture':
        Object.assign(set, { captured_minor: 0, captured_at: null });
        await watchExpiryAgain(work, row);
        break;
      default: {
        assert(attempt.operation === 'void', 'a change of a transaction is a capture, its cancellation or a void');
        Object.assign(set, { status: 'voided', voided_at: at, captured_minor: 0 });
        countStanding(work, row, row.status, -1);
        countStanding(work, row, 'voided', 1);
      }
    }
  } else if (attempt.operation === 'void') {
    set.void_reason = null;
  }
  await work.update(TRANSACTIONS, { id: row.id }, set);
  const changed = { ...row, ...set };
  recount(work, row, changed);
  if (set.status === 'voided') {
    await on.emit(work, { ...aboutPayment(row, nowMs), ...voidedEvent(toTransaction(changed)) });
    const { tenant_id: tenantId, id: transactionId, invoice_id } = row;
    if (invoice_id !== null) await on.paymentVoided(work, { tenantId, transactionId, by: whoAsked(attempt), atMs: nowMs });
  }
  return changed;
}

/** What a capture brings, and what its cancellation or a void takes back. */
async function enter(on: Needs, work: Work, attempt: AttemptRow, row: TransactionRow, nowMs: number): Promise<void> {
  const isCapture = attempt.operation === 'capture';
  const amount = isCapture ? attempt.amount_minor : row.captured_minor;
  if (amount === 0) return;
  const merchant = await on.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const kind = isCapture ? 'capture' : 'capture_reversed';
  const transfer = transferOf(merchant, attempt, row.id, kind, amount, nowMs);
  await on.post(work, transfer);
  countMovement(work, row, kind, amount, transfer.day);
}

/** Events of refunds and their queue are their payment's, so that a receiver gets them in the order of the changes. */
function aboutPayment(row: TransactionRow, atMs: number) {
  return { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
}

/** A declined refund goes to the queue, or back to it, and its amount stays held until the queue gives it up. */
async function changeRefund(
  on: Needs,
  work: Work,
  attempt: AttemptRow,
  row: TransactionRow,
  outcome: Final,
  nowMs: number,
  mine: boolean,
): Promise<RefundRow> {
  assert(attempt.refund_id !== null, 'a refund attempt names its refund');
  const refund = await lockRefund(work, attempt.refund_id);
  if (!mine) return refund;
  const waiting = await lockEntryOf(work, refund.id);
  const declined = outcome.kind === 'declined';
  const approved = outcome.kind === 'approved';
  const entry = waiting ? await afterRetry(waiting, outcome, nowMs) : declined ? newEntry(row, refund, outcome, nowMs) : null;
  const held = entry !== null && holdsMoney(entry.status);
  const refunded = row.refunded_minor + (approved ? refund.amount_minor : 0);
  const reserved = row.reserved_minor - (held ? 0 : refund.amount_minor);
  const at = isoTime(nowMs);
  await work.update(TRANSACTIONS, { id: row.id }, { refunded_minor: refunded, reserved_minor: reserved, updated_at: at });
  const set: Partial<RefundRow> = {
    status: approved ? 'approved' : declined || waiting ? 'declined' : 'failed',
    refunded_at: approved ? at : null,
    remaining_minor: money(row.captured_minor - refunded - reserved, row.currency as Currency).minor,
    decline_code: declined ? outcome.declineCode : approved ? null : refund.decline_code,
    decline_reason: declined ? outcome.declineReason : approved ? null : refund.decline_reason,
    retry_scheduled_at: entry?.scheduled_ms == null ? null : isoTime(entry.scheduled_ms),
  };
  await work.update(REFUNDS, { id: refund.id }, set);
  const isFirstDecline = declined && !waiting;
  if (approved || isFirstDecline) {
    const merchant = await on.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
    const transfer = transferOf(merchant, attempt, refund.id, 'refund', refund.amount_minor, nowMs);
    if (approved) await on.post(work, transfer);
    countMovement(work, row, approved ? 'refund' : 'refund_declined', refund.amount_minor, transfer.day, refund);
    recount(work, row, { ...row, refunded_minor: refunded });
  }
  const changed = { ...refund, ...set };
  if (approved || isFirstDecline) await on.emit(work, { ...aboutPayment(row, nowMs), ...refundEvent(toRefund(changed)) });
  if (entry) await keepEntry(on, work, waiting, entry, nowMs);
  if (approved) await tellCustomer(on, work, row, changed, nowMs);
  work.afterCommit(() => on.changed(row.tenant_id, 'refunds'));
  return changed;
}

/** The message of a refund that was asked for on the Public API (specification 4.5). */
async function tellCustomer(on: Needs, work: Work, row: TransactionRow, refund: RefundRow, nowMs: number): Promise<void> {
  if (refund.notify_customer === 0 || row.customer_email === null) return;
  const { language } = await on.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const letter = PAYER_WORDS[language].refund({
    amount: formatMoney(money(refund.amount_minor, row.currency as Currency), language),
    to: row.card_brand === null ? 'account' : 'card',
    last4: row.last4 ?? '',
    reference: refund.id,
  });
  await on.notify(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    channel: 'email',
    kind: 'refund',
    resourceId: row.id,
    to: row.customer_email,
    ...letter,
    atMs: nowMs,
  });
}
