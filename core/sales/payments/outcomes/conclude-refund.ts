import type { Work } from '#core/database';
import { type Currency, isoTime, later, money, realNow, type TenantTime } from '#core/kernel';
import { formatMoney } from '#core/platform/documents';
import { REFUND_REFUSED } from '#core/processing/gateways';
import { PAYER_TEXTS } from '#core/records/notifications';
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import { actorOfAttempt, postMovement, transferOf } from '../audit-and-ledger.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { refundable } from '../eligibility.ts';
import { refundEvent } from '../events.ts';
import { announceReturn, returnShare } from '../order-payments.ts';
import type { TerminalOutcome } from '../outcome.ts';
import { reservesAmount } from '../queue-entries/entry.ts';
import { afterRetry, lockEntryOf, newEntry, writeEntry } from '../queue-entries/outcome.ts';
import { delaySince, UNSENT_DELAY_MS } from '../queue-entries/schedule.ts';
import { lockRefund } from '../repository.ts';
import { type AttemptRow, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund } from '../transaction.ts';
import { cancelHeldCapture } from './held-captures.ts';
import { isAcceptedRefund, writeHeldRefund } from './held-refunds.ts';

/** Concludes an attempt of a refund, or of the void of an unsettled payment that refunds it, under the transaction's lock. */
export async function concludeRefund(
  deps: Dependencies,
  work: Work,
  attempt: AttemptRow,
  row: TransactionRow,
  outcome: TerminalOutcome,
  nowMs: TenantTime,
  isConcludedHere: boolean,
): Promise<Extract<PaymentResult, { refund: unknown }>> {
  const refund = await lockRefund(work, attempt.refund_id ?? '');
  if (!isConcludedHere) return { refund: toRefund(refund) };
  const existingEntry = await lockEntryOf(work, refund.id);
  if (outcome.kind === 'not-sent' && existingEntry === null && isAcceptedRefund(attempt)) {
    if (outcome.retry === 'error' && outcome.alert !== 'set-up')
      return concludeRefund(deps, work, attempt, row, declinedOf(outcome), nowMs, isConcludedHere);
    const due = later(realNow(), delaySince(Date.parse(refund.created_at), nowMs, UNSENT_DELAY_MS));
    return { refund: toRefund(await writeHeldRefund(deps, work, { row, refund, after: attempt }, due)) };
  }
  const declined = outcome.kind === 'declined';
  const approved = outcome.kind === 'approved';
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const firstEntry = () => (declined ? newEntry(row, refund, outcome, merchant.refundMaxAttempts, nowMs) : null);
  const entry = existingEntry ? afterRetry(existingEntry, outcome, nowMs) : firstEntry();
  const isReserved = entry !== null && reservesAmount(entry.status);
  const refunded = row.refunded_minor + (approved ? refund.amount_minor : 0);
  const reserved = row.reserved_minor - (isReserved ? 0 : refund.amount_minor);
  const at = isoTime(nowMs);
  const isVoid = attempt.operation === 'void';
  await work.update(
    TRANSACTIONS,
    { id: row.id },
    {
      refunded_minor: refunded,
      reserved_minor: reserved,
      updated_at: at,
      ...(isVoid ? { pending_attempt: null } : {}),
      ...(isVoid && approved ? { capture_held_until: null } : {}),
    },
  );
  if (isVoid && approved) await cancelHeldCapture(work, row, at);
  const set: Partial<RefundRow> = {
    status: approved ? 'approved' : declined || existingEntry ? 'declined' : 'failed',
    refunded_at: approved ? at : null,
    remaining_minor: refundable({ ...row, refunded_minor: refunded, reserved_minor: reserved }).minor,
    decline_code: declined ? outcome.declineCode : approved ? null : refund.decline_code,
    decline_reason: declined ? outcome.declineReason : approved ? null : refund.decline_reason,
    retry_scheduled_at: entry?.scheduled_ms == null ? null : isoTime(entry.scheduled_ms),
  };
  await work.update(REFUNDS, { id: refund.id }, set);
  const isFirstDecline = declined && !existingEntry;
  if (approved || isFirstDecline) {
    const transfer = transferOf(merchant, attempt, refund.id, 'refund', refund.amount_minor, nowMs);
    if (approved) {
      postMovement(deps, work, transfer, row, refund, refund);
      await returnShare(deps, work, actorOfAttempt(attempt), row, refund, attempt.shift_id);
    } else countMovement(work, row, 'refund_declined', { amount: refund.amount_minor }, transfer.day, refund);
    recount(work, row, { ...row, refunded_minor: refunded });
  }
  const changed = { ...refund, ...set };
  if (approved || isFirstDecline) deps.emit(work, { ...eventBase(row, nowMs), ...refundEvent(toRefund(changed)) });
  if (entry) await writeEntry(deps, work, existingEntry, entry, nowMs);
  if (!approved && !isReserved) await announceReturn(deps, work, actorOfAttempt(attempt), row, 'no-effect', attempt.shift_id);
  if (approved) await notifyCustomer(deps, work, row, changed, nowMs);
  work.afterCommit(() => deps.changed(row.tenant_id, 'refunds', row.merchant_id));
  return { refund: toRefund(changed) };
}

/** Returns the final refusal of an accepted refund as a decline, which a person resolves or cancels in the queue. */
function declinedOf({ reason }: Extract<TerminalOutcome, { kind: 'not-sent' }>): TerminalOutcome {
  return { kind: 'declined', declineCode: REFUND_REFUSED, declineReason: reason };
}

/** Returns the common fields of refund events. Their resource is the payment, so that receivers get them in order. */
function eventBase(row: TransactionRow, atMs: TenantTime) {
  return { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
}

/** Sends the customer a message about an approved refund, if the Public API requested it. */
async function notifyCustomer(deps: Dependencies, work: Work, row: TransactionRow, refund: RefundRow, nowMs: TenantTime): Promise<void> {
  if (refund.notify_customer === 0 || row.customer_email === null) return;
  const { language } = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const message = PAYER_TEXTS[language].refund({
    amount: formatMoney(money(refund.amount_minor, row.currency as Currency), language),
    to: row.card_brand === null ? 'account' : 'card',
    last4: row.last4 ?? '',
    reference: refund.id,
  });
  await deps.notify(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    channel: 'email',
    kind: 'refund',
    resourceId: row.id,
    to: row.customer_email,
    ...message,
    atMs: nowMs,
    cause: 'event',
  });
}
