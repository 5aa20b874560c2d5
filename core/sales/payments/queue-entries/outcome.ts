import type { Work } from '#core/database';
import { isoTime, later, newId, step, type TenantTime } from '#core/kernel';
import { dueAt, released } from '#core/platform/scheduling';
import type { TypedEvent } from '#core/records/webhooks';
import type { Dependencies } from '../dependencies.ts';
import { reasonOf, type TerminalOutcome } from '../outcome.ts';
import type { RefundRow, TransactionRow } from '../schema.ts';
import { toEntry } from './entry.ts';
import { delayBefore, delaySince, FRESH_ENTRY_DELAY_MS, UNSENT_DELAY_MS } from './schedule.ts';
import { type QueueRow, REFUND_QUEUE } from './schema.ts';
import { QUEUE_STEPS } from './steps.ts';

/** Locks and returns the entry of a refund; null if it has none. */
export async function lockEntryOf(work: Work, refundId: string): Promise<QueueRow | null> {
  return work.lockOne(REFUND_QUEUE, { refund_id: refundId });
}

/** Returns the entry of a declined refund: its amount stays reserved, and the first retry is due immediately. */
export function newEntry(
  transaction: TransactionRow,
  refund: RefundRow,
  outcome: Extract<TerminalOutcome, { kind: 'declined' }>,
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
    ...dueAt(later(nowMs, FRESH_ENTRY_DELAY_MS)),
    updated_at: isoTime(nowMs),
  };
}

/** Returns the entry after its attempt: resolved, scheduled for another retry, or failed. */
export function afterRetry(row: QueueRow, outcome: TerminalOutcome, nowMs: TenantTime): QueueRow {
  const at = isoTime(nowMs);
  const attempted = { ...row, updated_at: at, last_attempt_at: at };
  if (outcome.kind === 'approved') {
    return {
      ...attempted,
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
    return { ...attempted, status: step(QUEUE_STEPS, row.status, 'requeue'), last_error: lastError, scheduled_ms: next, ...released(next) };
  }
  const attempts = row.attempt_count + 1;
  const isExhausted = attempts >= row.max_attempts;
  const next = isExhausted ? null : later(nowMs, delayBefore(attempts + 1));
  return {
    ...attempted,
    status: step(QUEUE_STEPS, row.status, isExhausted ? 'exhaust' : 'requeue'),
    attempt_count: attempts,
    decline_code: outcome.declineCode,
    decline_reason: outcome.declineReason,
    last_error: lastError,
    scheduled_ms: next,
    ...released(next),
  };
}

/** Writes a changed entry and emits its event. */
export async function writeEntry(deps: Dependencies, work: Work, before: QueueRow | null, row: QueueRow, nowMs: TenantTime): Promise<void> {
  if (before === null) {
    work.insert(REFUND_QUEUE, row);
    await emitQueueEvent(deps, work, row, nowMs, {
      type: 'refund_decline_queue.created',
      data: { ...eventData(row), declineReason: row.decline_reason },
    });
    return;
  }
  const { tenant_id: _, id, ...set } = row;
  await work.update(REFUND_QUEUE, { id }, set);
  if (row.status === 'resolved') await emitResolved(deps, work, row, nowMs);
  else if (row.status === 'failed') {
    const { attempt_count: attemptCount, last_error: lastError } = row;
    await emitQueueEvent(deps, work, row, nowMs, {
      type: 'refund_decline_queue.failed',
      data: { ...eventData(row), attemptCount, lastError },
    });
  } else work.afterCommit(() => deps.changed(row.tenant_id, 'refund-queue', row.merchant_id));
}

const eventData = (row: QueueRow) => ({ id: row.id, transactionId: row.transaction_id, amount: toEntry(row).amount });

/** Emits the event of a resolved entry, in the unit of work that resolves it. */
export const emitResolved = (deps: Dependencies, work: Work, row: QueueRow, nowMs: TenantTime): Promise<void> =>
  emitQueueEvent(deps, work, row, nowMs, {
    type: 'refund_decline_queue.resolved',
    data: { ...eventData(row), resolvedAt: row.resolved_at },
  });

/** Emits the event of a canceled entry, in the unit of work that cancels it. */
export const emitCancelled = (deps: Dependencies, work: Work, row: QueueRow, nowMs: TenantTime): Promise<void> =>
  emitQueueEvent(deps, work, row, nowMs, {
    type: 'refund_decline_queue.cancelled',
    data: { ...eventData(row), reason: row.cancellation_reason, cancelledBy: row.cancelled_by, cancelledAt: row.cancelled_at },
  });

/** Emits the event of an entry. It follows the events of the transaction, so that receivers get them in order. */
async function emitQueueEvent(deps: Dependencies, work: Work, row: QueueRow, nowMs: TenantTime, event: TypedEvent): Promise<void> {
  deps.emit(work, { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.transaction_id, atMs: nowMs, ...event });
  work.afterCommit(() => deps.changed(row.tenant_id, 'refund-queue', row.merchant_id));
}
