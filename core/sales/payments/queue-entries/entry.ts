import type { Read, Work } from '#core/database';
import { type Currency, isoTime, money, ServiceError } from '#core/kernel';
import type { QueueEntry } from '../records.ts';
import { type QueueRow, type QueueStatus, REFUND_QUEUE } from './schema.ts';
import { QUEUE_STEPS } from './steps.ts';

export function toEntry(row: QueueRow): QueueEntry {
  const currency = row.currency as Currency;
  const [expiryMonth = '', expiryYear = ''] = row.card_expiry?.split('/') ?? [];
  return {
    id: row.id,
    transactionId: row.transaction_id,
    refundTransactionId: row.refund_id,
    merchantId: row.merchant_id,
    amount: money(row.amount_minor, currency),
    currency,
    status: row.status,
    declineReason: row.decline_reason,
    declineCode: row.decline_code,
    gatewayType: row.gateway,
    gatewayResponse: { code: row.decline_code, message: row.decline_reason },
    attemptCount: row.attempt_count,
    maxAttempts: row.max_attempts,
    lastAttemptAt: row.last_attempt_at,
    scheduledRetryAt: row.scheduled_ms === null ? null : isoTime(row.scheduled_ms),
    customer: row.customer_name === null && row.customer_email === null ? null : { name: row.customer_name, email: row.customer_email },
    card: row.card_brand === null ? null : { brand: row.card_brand, last4: row.last4, expiryMonth, expiryYear },
    bankAccount: row.account_type === null ? null : { bankName: null, last4: row.last4, accountType: row.account_type },
    createdAt: isoTime(row.created_ms),
    updatedAt: row.updated_at,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    resolutionNotes: row.resolution_notes,
    refundMethod: row.refund_method,
    refundDate: row.refund_date,
    cancelledAt: row.cancelled_at,
    cancelledBy: row.cancelled_by,
    cancellationReason: row.cancellation_reason,
    cancellationNotes: row.cancellation_notes,
  };
}

/** Returns true if the amount of an entry in that state is reserved on its transaction. */
export function reservesAmount(status: QueueStatus): boolean {
  return status === 'pending' || status === 'processing' || status === 'retry';
}

/** Returns true while an attempt is at the gateway and its outcome is not known. */
export function isInProgress(row: QueueRow): boolean {
  return row.status === 'processing' && row.due_ms === null;
}

export async function readEntry(read: Read, id: string): Promise<QueueRow> {
  return (await read.one(REFUND_QUEUE, { id })) ?? entryNotFound(id);
}

export async function lockEntry(work: Work, id: string): Promise<QueueRow> {
  return (await work.lockOne(REFUND_QUEUE, { id })) ?? entryNotFound(id);
}

function entryNotFound(id: string): never {
  throw new ServiceError('NOT_FOUND', `There is no entry ${id.slice(0, 60)} in the refund decline queue.`, { details: { id } });
}

/** Returns the error details of a closed entry, with the actor who closed it. */
export function closedDetails(row: QueueRow): Record<string, unknown> {
  if (QUEUE_STEPS[row.status].begin === 'processing') return { status: row.status };
  return {
    status: row.status,
    closedBy: row.resolved_by ?? row.cancelled_by,
    closedAt: row.resolved_at ?? row.cancelled_at,
  };
}
