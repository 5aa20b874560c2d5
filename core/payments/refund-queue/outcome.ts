import type { Work } from '#core/database';
import { isoTime, later, newId, step, type TenantTime, toNumber } from '#core/kernel';
import { dueAt, released } from '#core/platform/scheduling';
import type { PaymentEvent } from '#shared/webhook-events';
import type { Needs } from '../needs.ts';
import { type Final, reasonOf } from '../outcome.ts';
import type { RefundRow, TransactionRow } from '../schema.ts';
import { toEntry } from './entry.ts';
import { delayBefore, delaySince, SCHEDULER_EVERY_MS, UNSENT_DELAY_MS } from './schedule.ts';
import { type QueueRow, REFUND_QUEUE } from './schema.ts';
import { QUEUE_STEPS } from './steps.ts';

/** The entry of a refund, locked; null while it has none. */
export async function lockEntryOf(work: Work, refundId: string): Promise<QueueRow | null> {
  return work.lockOne(REFUND_QUEUE, { refund_id: refundId });
}

/** The entry of a refund that the processor declined: its amount stays held, the first retry is due at once (specification 3.2, decisions 6). */
export function newEntry(
  transaction: TransactionRow,
  refund: RefundRow,
  outcome: Extract<Final, { kind: 'declined' }>,
  maxAttempts: number,
  nowMs: TenantTime,
): QueueRow {
  return {
    tenant_id: refund.tenant_id,
    id: newId('rdq', nowMs),
    transaction_id: refund.transaction_id,
    refund_id: refund.id,
    merchant_id: refund.merchant_id,
    status: 'pending',
    amount_minor: refund.amount_minor,
    currency: refund.currency,
    decline_code: outcome.declineCode,
    decline_reason: outcome.declineReason,
    gateway: transaction.gateway,
    attempt_count: 0,
    max_attempts: maxAttempts,
    last_attempt_at: null,
    last_error: null,
    scheduled_ms: later(nowMs, delayBefore(1)),
    customer_name: transaction.customer_name,
    customer_email: transaction.customer_email,
    card_brand: refund.card_brand,
    last4: refund.last4,
    card_expiry: refund.card_expiry,
    account_type: refund.account_type,
    resolved_at: null,
    resolved_by: null,
    resolution_notes: null,
    refund_method: null,
    refund_date: null,
    cancelled_at: null,
    cancelled_by: null,
    cancellation_reason: null,
    cancellation_notes: null,
    created_ms: nowMs,
    resolved_ms: null,
    ...dueAt(later(nowMs, SCHEDULER_EVERY_MS)),
    updated_at: isoTime(nowMs),
  };
}

/** What became of the attempt that an entry waited for: resolved, one more try later, or used up. */
export function afterRetry(row: QueueRow, outcome: Final, nowMs: TenantTime): QueueRow {
  const at = isoTime(nowMs);
  const tried = { ...row, updated_at: at, last_attempt_at: at };
  if (outcome.kind === 'approved') {
    return {
      ...tried,
      status: step(QUEUE_STEPS, row.status, 'approve'),
      attempt_count: row.attempt_count + 1,
      resolved_at: at,
      resolved_ms: nowMs,
      resolved_by: 'service',
      scheduled_ms: null,
      ...released(null),
    };
  }
  const lastError = reasonOf(outcome);
  if (outcome.kind === 'not-sent') {
    const next = later(nowMs, delaySince(row.created_ms, nowMs, UNSENT_DELAY_MS));
    return { ...tried, status: step(QUEUE_STEPS, row.status, 'requeue'), last_error: lastError, scheduled_ms: next, ...released(next) };
  }
  const attempts = row.attempt_count + 1;
  const usedUp = attempts >= row.max_attempts;
  const next = usedUp ? null : later(nowMs, delayBefore(attempts + 1));
  return {
    ...tried,
    status: step(QUEUE_STEPS, row.status, usedUp ? 'exhaust' : 'requeue'),
    attempt_count: attempts,
    decline_code: outcome.declineCode,
    decline_reason: outcome.declineReason,
    last_error: lastError,
    scheduled_ms: next,
    ...released(next),
  };
}

/** Writes an entry as it now stands, and tells of it. */
export async function keepEntry(on: Needs, work: Work, before: QueueRow | null, row: QueueRow, nowMs: TenantTime): Promise<void> {
  if (before === null) {
    work.insert(REFUND_QUEUE, row);
    await tell(on, work, row, nowMs, { type: 'refund_decline_queue.created', data: { ...told(row), declineReason: row.decline_reason } });
    return;
  }
  const { tenant_id: _, id, ...set } = row;
  await work.update(REFUND_QUEUE, { id }, set);
  if (row.status === 'resolved') await tellResolved(on, work, row, nowMs);
  else if (row.status === 'failed') {
    const { attempt_count: attemptCount, last_error: lastError } = row;
    await tell(on, work, row, nowMs, { type: 'refund_decline_queue.failed', data: { ...told(row), attemptCount, lastError } });
  } else work.afterCommit(() => on.changed(row.tenant_id, 'refund-queue'));
}

const told = (row: QueueRow) => ({ id: row.id, transactionId: row.transaction_id, amount: toNumber(toEntry(row).amount) });

/** Tells that an entry was resolved, in the unit of work that resolves it. */
export const tellResolved = (on: Needs, work: Work, row: QueueRow, nowMs: TenantTime): Promise<void> =>
  tell(on, work, row, nowMs, { type: 'refund_decline_queue.resolved', data: { ...told(row), resolvedAt: row.resolved_at } });

/** Tells of an entry. Its events follow those of its transaction, so that a receiver gets them in the order of the changes. */
async function tell(on: Needs, work: Work, row: QueueRow, nowMs: TenantTime, event: PaymentEvent): Promise<void> {
  on.emit(work, { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.transaction_id, atMs: nowMs, ...event });
  work.afterCommit(() => on.changed(row.tenant_id, 'refund-queue'));
}
