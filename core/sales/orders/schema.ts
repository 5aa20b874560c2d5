import { integer, type RowOf, table, text } from '#core/database';

export const ORDER_STATUSES = ['open', 'parked', 'paid', 'canceled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Sales that several payments pay. The balances are the sums of their payments, written under the lock of the order. */
export const ORDERS = table(
  'orders',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** Number of the order, per merchant. */
    number: integer,
    status: text.of<OrderStatus>(),
    currency: text,
    amount_minor: integer,
    /** Tax within the amount. */
    tax_minor: integer,
    /** Taken off before the amount. */
    discount_minor: integer,
    discount_id: text.optional,
    discount_approved_by: text.optional,
    line_items: text.optional,
    /** Name by which a parked order is found. */
    name: text.optional,
    /** Order number of the shop. */
    reference: text.optional,
    description: text.optional,
    customer_id: text.optional,
    customer_name: text.optional,
    /** Shares of payments without an outcome. */
    reserved_minor: integer,
    /** Shares of approved payments, less the returned parts. */
    paid_minor: integer,
    /** Refunds after the order was paid. */
    refunded_minor: integer,
    created_by: text,
    parked_at: text.optional,
    parked_by: text.optional,
    /** Person who resumed the order last. */
    resumed_by: text.optional,
    paid_at: text.optional,
    /** Day on which the order was paid, in the time zone of the merchant. */
    paid_day: text.optional,
    canceled_at: text.optional,
    canceled_by: text.optional,
    cancel_reason: text.optional,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'merchant_id', 'number']],
    indexes: [
      { name: 'orders_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'orders_by_status', columns: ['tenant_id', 'status', 'merchant_id', 'id'] },
      { name: 'orders_by_customer', columns: ['tenant_id', 'customer_id', 'id'], where: 'customer_id IS NOT NULL' },
      { name: 'orders_with_items', columns: ['tenant_id', 'merchant_id', 'paid_day', 'id'], where: 'line_items IS NOT NULL' },
    ],
    counts: { by: ['merchant_id', 'status'] },
  },
);

export type OrderRow = RowOf<typeof ORDERS>;

/** `reserved`: the outcome is unknown; `paid`: approved; `released`: without effect. */
export type ShareState = 'reserved' | 'paid' | 'released';
export type OrderPaymentKind = 'card' | 'ach' | 'cash' | 'check' | 'other' | 'gift_card';

/** Shares of payments in their orders. A share contains neither the tip nor the surcharge of its payment. */
export const ORDER_PAYMENTS = table(
  'order_payments',
  {
    tenant_id: text,
    order_id: text,
    /** Transaction or tender. */
    id: text,
    kind: text.of<OrderPaymentKind>(),
    state: text.of<ShareState>(),
    share_minor: integer,
    tax_minor: integer,
    discount_minor: integer,
    /** Claimed amounts of lines in minor units, as JSON; null for a payment that names no lines. */
    lines: text.optional,
    /** Part of the share that a void, a returned payment, or a refund of an unpaid order gave back. */
    returned_minor: integer,
    /** Part of the share that was refunded after the order was paid. */
    refunded_minor: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'order_id', 'id'] },
);

export type OrderPaymentRow = RowOf<typeof ORDER_PAYMENTS>;

/** Last number of the orders of each merchant. */
export const ORDER_NUMBERS = table(
  'order_numbers',
  { tenant_id: text, merchant_id: text, last: integer },
  { key: ['tenant_id', 'merchant_id'] },
);
