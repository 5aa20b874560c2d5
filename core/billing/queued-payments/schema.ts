import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { Channel } from '#shared/channels';

/** `replaced`: a payment link was created in its place. */
export const QUEUE_STATUSES = ['waiting', 'sending', 'paid', 'declined', 'expired', 'cancelled', 'replaced'] as const;
export type QueuedPaymentStatus = (typeof QUEUE_STATUSES)[number];

/**
 * Payments with saved cards and bank accounts that wait for a gateway. Of the waiting ones of a merchant only the oldest is due, so that they
 * leave in order. While one is `sending`, `transaction_id` is its payment.
 */
export const QUEUED_PAYMENTS = table(
  'queued_payments',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    status: text.of<QueuedPaymentStatus>(),
    amount_minor: integer,
    /** Tip and tax within the amount. There is no surcharge: it depends on the card rules at the time of the charge. */
    tip_minor: integer,
    tax_minor: integer,
    /** Taken off before the amount. */
    discount_minor: integer,
    /** Granted discount that the payment used, and the person who approved it as the second one. */
    discount_id: text.optional,
    discount_approved_by: text.optional,
    currency: text,
    customer_id: text,
    customer_name: text.optional,
    customer_email: text.optional,
    payment_method_id: text,
    method_kind: text.of<'card' | 'ach'>(),
    card_brand: text.optional,
    last4: text,
    order_id: text.optional,
    description: text.optional,
    /** Lines of an itemized sale, as sales store them. */
    line_items: text.optional,
    /** Channel by which the payment reached the merchant. */
    channel: text.of<Channel>(),
    created_by: text,
    /** Payments that were sent and did not reach the gateway, since the last release. */
    unsent_tries: integer,
    /** The last payment; null if none was created. */
    transaction_id: text.optional,
    decline_code: text.optional,
    decline_reason: text.optional,
    /** Payment link that replaced it. */
    invoice_id: text.optional,
    /** The idempotency key of the request that released it and waits for its outcome. */
    idempotency_credential: text.optional,
    idempotency_key: text.optional,
    idempotency_route: text.optional,
    /** Person who released, canceled or replaced it last. */
    changed_by: text.optional,
    expires_ms: integer.of<TenantTime>(),
    ...dueColumns<TenantTime>(),
    concluded_at: text.optional,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'queued_payments_by_status', columns: ['tenant_id', 'merchant_id', 'status', 'id'] },
      { name: 'queued_payments_by_customer', columns: ['tenant_id', 'customer_id', 'status'] },
      { name: 'queued_payments_by_transaction', columns: ['tenant_id', 'transaction_id'], where: 'transaction_id IS NOT NULL' },
      { name: 'queued_payments_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type QueuedPaymentRow = RowOf<typeof QUEUED_PAYMENTS>;
