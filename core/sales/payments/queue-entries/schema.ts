import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { QueueEntry } from '../records.ts';

/** Status of an entry. */
export type QueueStatus = QueueEntry['status'];

/** A declined refund that is retried. `due_ms` is null while an attempt is in progress and after the entry is closed. */
export const REFUND_QUEUE = table(
  'refund_decline_queue',
  {
    tenant_id: text,
    id: text,
    transaction_id: text,
    refund_id: text,
    merchant_id: text,
    status: text.of<QueueStatus>(),
    amount_minor: integer,
    currency: text,
    decline_code: text,
    decline_reason: text,
    gateway: text,
    attempt_count: integer,
    max_attempts: integer,
    last_attempt_at: text.optional,
    last_error: text.optional,
    /** Time of the next retry in the API. The scheduler retries a new entry a few minutes later, at `due_ms`. */
    scheduled_ms: integer.of<TenantTime>().optional,
    customer_name: text.optional,
    customer_email: text.optional,
    card_brand: text.optional,
    last4: text,
    card_expiry: text.optional,
    account_type: text.optional,
    resolved_at: text.optional,
    resolved_by: text.optional,
    resolution_notes: text.optional,
    refund_method: text.optional,
    refund_date: text.optional,
    cancelled_at: text.optional,
    cancelled_by: text.optional,
    cancellation_reason: text.optional,
    cancellation_notes: text.optional,
    created_ms: integer,
    resolved_ms: integer.optional,
    ...dueColumns<TenantTime>(),
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'refund_id']],
    indexes: [
      { name: 'refund_queue_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'refund_queue_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type QueueRow = RowOf<typeof REFUND_QUEUE>;
