import { table } from '#core/database';
import type { DueRow } from '#core/platform/scheduling';

/** Where an entry stands (specification 3.2). */
export type QueueStatus = 'pending' | 'processing' | 'retry' | 'resolved' | 'failed' | 'cancelled';

/** A declined refund that waits to be tried again. `due_ms` is null while an attempt is under way and when the entry is closed. */
export interface QueueRow extends DueRow {
  transaction_id: string;
  refund_id: string;
  merchant_id: string;
  status: QueueStatus;
  amount_minor: number;
  currency: string;
  decline_code: string;
  decline_reason: string;
  gateway: string;
  attempt_count: number;
  max_attempts: number;
  last_attempt_at: string | null;
  last_error: string | null;
  /** The contract's time of the next try; the scheduler's own first look at a fresh entry comes later. */
  scheduled_ms: number | null;
  customer_name: string | null;
  customer_email: string | null;
  card_brand: string | null;
  last4: string;
  card_expiry: string | null;
  account_type: string | null;
  resolved_at: string | null;
  resolved_by: string | null;
  resolution_notes: string | null;
  refund_method: string | null;
  refund_date: string | null;
  cancelled_at: string | null;
  cancelled_by: string | null;
  cancellation_reason: string | null;
  cancellation_notes: string | null;
  created_ms: number;
  resolved_ms: number | null;
  updated_at: string;
}

export const REFUND_QUEUE = table<QueueRow>(
  'refund_decline_queue',
  {
    tenant_id: 'text',
    id: 'text',
    transaction_id: 'text',
    refund_id: 'text',
    merchant_id: 'text',
    status: 'text',
    amount_minor: 'integer',
    currency: 'text',
    decline_code: 'text',
    decline_reason: 'text',
    gateway: 'text',
    attempt_count: 'integer',
    max_attempts: 'integer',
    last_attempt_at: 'text?',
    last_error: 'text?',
    scheduled_ms: 'integer?',
    customer_name: 'text?',
    customer_email: 'text?',
    card_brand: 'text?',
    last4: 'text',
    card_expiry: 'text?',
    account_type: 'text?',
    resolved_at: 'text?',
    resolved_by: 'text?',
    resolution_notes: 'text?',
    refund_method: 'text?',
    refund_date: 'text?',
    cancelled_at: 'text?',
    cancelled_by: 'text?',
    cancellation_reason: 'text?',
    cancellation_notes: 'text?',
    created_ms: 'integer',
    resolved_ms: 'integer?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    updated_at: 'text',
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
