import type { Work } from '#core/database';
import { REFUND_REFUSED } from '#core/gateways';
import { type Currency, isoTime, later, money, realNow, type TenantTime } from '#core/kernel';
import { PAYER_TEXTS } from '#core/notifications';
import { formatMoney } from '#core/platform/documents';
import { countMovement, recount } from '../aggregates/daily-aggregates.ts';
import { transferOf } from '../audit-and-ledger.ts';
import { dropHeldCapture } from '../capture/held-captures.ts';
import type { Dependencies, PaymentResult } from '../dependencies.ts';
import { refundEvent } from '../events.ts';
import type { TerminalOutcome } from '../outcome.ts';
import { holdsMoney } from '../refund-queue/entry.ts';
import { afterRetry, keepEntry, lockEntryOf, newEntry } from '../refund-queue/outcome.ts';
import { delaySince, UNSENT_DELAY_MS } from '../refund-queue/schedule.ts';
import { lockRefund } from '../repository.ts';
import { type AttemptRow, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund } from '../transaction.ts';
import { isPromised, writeHeldRefund } from './held-refunds.ts';

/** Ends an attempt to give money back, by a refund or by the void of an unsettled payment, under the transaction's lock. */
export async function concludeRefund(
  deps: Dependencies,
  work: Work,
  attempt: AttemptRow,
  row: TransactionRow,
  outcome: TerminalOutcome,
  nowMs: TenantTime,
  mine: boolean,
): Promise<Extract<PaymentResult, { refund: unknown }>> {
  const refund = await lockRefund(work, attempt.refund_id ?? '');
  if (!mine) return { refund: toRefund(refund) };
  const waiting = await lockEntryOf(work, refund.id);
  if (outcome.kind === 'not-sent' && waiting === null && isPromised(attempt)) {
    if (outcome.retry === 'error' && outcome.alert !== 'set-up')
      return concludeRefund(deps, work, attempt, row, refusedOf(outcome), nowMs, mine);
    const due = later(realNow(), delaySince(Date.parse(refund.created_at), nowMs, UNSENT_DELAY_MS));
    return { refund: toRefund(await writeHeldRefund(deps, work, { row, refund, after: attempt }, due)) };
  }
  const declined = outcome.kind === 'declined';
  const approved = outcome.kind === 'approved';
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const firstEntry = () => (declined ? newEntry(row, refund, outcome, merchant.refundMaxAttempts, nowMs) : null);
  const entry = waiting ? afterRetry(waiting, outcome, nowMs) : firstEntry();
  const held = entry !== null && holdsMoney(entry.status);
  const refunded = row.refunded_minor + (approved ? refund.amount_minor : 0);
  const reserved = row.reserved_minor - (held ? 0 : refund.amount_minor);
  const at = isoTime(nowMs);
  const isVoid = attempt.operation === 'void';
  await work.update(
    TRANSACTIONS,
    { id: row.id },
    {
      refunded_minor: refunded,
      reserved_minor: reserved,
      updated_at: at,
      ...(isVoid ? { busy_attempt: null } : {}),
      ...(isVoid && approved ? { capture_held_until: null } : {}),
    },
  );
  if (isVoid && approved) await dropHeldCapture(work, row, at);
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
    const transfer = transferOf(merchant, attempt, refund.id, 'refund', refund.amount_minor, nowMs);
    if (approved) deps.post(work, transfer);
    countMovement(work, row, approved ? 'refund' : 'refund_declined', refund.amount_minor, transfer.day, refund);
    recount(work, row, { ...row, refunded_minor: refunded });
  }
  const changed = { ...refund, ...set };
  if (approved || isFirstDecline) deps.emit(work, { ...aboutPayment(row, nowMs), ...refundEvent(toRefund(changed)) });
  if (entry) await keepEntry(deps, work, waiting, entry, nowMs);
  if (approved) await tellCustomer(deps, work, row, changed, nowMs);
  work.afterCommit(() => deps.changed(row.tenant_id, 'refunds'));
  return { refund: toRefund(changed) };
}

/** A processor that refuses for good what was promised: it is a declined refund, which a person resolves or cancels in the queue. */
function refusedOf({ reason }: Extract<TerminalOutcome, { kind: 'not-sent' }>): TerminalOutcome {
  return { kind: 'declined', declineCode: REFUND_REFUSED, declineReason: reason };
}

/** Events of refunds and their queue are their payment's, so that a receiver gets them in the order of the changes. */
function aboutPayment(row: TransactionRow, atMs: TenantTime) {
  return { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
}

/** The message of a refund that was asked for on the Public API (specification 4.5). */
async function tellCustomer(deps: Dependencies, work: Work, row: TransactionRow, refund: RefundRow, nowMs: TenantTime): Promise<void> {
  if (refund.notify_customer === 0 || row.customer_email === null) return;
  const { language } = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const letter = PAYER_TEXTS[language].refund({
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
    ...letter,
    atMs: nowMs,
  });
}
