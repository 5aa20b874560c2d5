import { integer, type RowOf, table, text } from '#core/database';

/** `other` has a name that the merchant configured, such as a gift voucher. */
export const TENDER_KINDS = ['cash', 'check', 'other', 'gift_card'] as const;
export type TenderKind = (typeof TENDER_KINDS)[number];

/** Payments that were received at the counter without a processor. */
export const TENDERS = table(
  'tenders',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** Number of the receipt, per merchant and without gaps. Refunds take numbers of the same series. */
    number: integer,
    kind: text.of<TenderKind>(),
    /** Name of an `other` tender. */
    name: text.optional,
    currency: text,
    amount_minor: integer,
    /** Tax within the amount. */
    tax_minor: integer,
    /** Taken off before the amount, so it is no part of it. */
    discount_minor: integer,
    /** Granted discount that the payment used, and the person who approved it as the second one. */
    discount_id: text.optional,
    discount_approved_by: text.optional,
    refunded_minor: integer,
    /** Cash that was received less the amount; 0 if it was not rounded. */
    rounding_minor: integer,
    /** Cash that the customer gave; the rest is the change. */
    given_minor: integer.optional,
    check_number: text.optional,
    check_bank: text.optional,
    /** Gift card or store credit that paid, and the last characters of its code. */
    gift_card_id: text.optional,
    gift_card_last4: text.optional,
    customer_id: text.optional,
    customer_name: text.optional,
    customer_email: text.optional,
    order_id: text.optional,
    /** The order ID in lower case, for searches. */
    order_key: text.optional,
    description: text.optional,
    /** Lines of the sale as JSON; null if it is not itemized. */
    line_items: text.optional,
    invoice_id: text.optional,
    drawer: text,
    /** Shift of the drawer at the time; null if none was open. */
    shift_id: text.optional,
    created_by: text,
    /** Time at which the return of a check was recorded; null for all others. */
    returned_at: text.optional,
    return_reason: text.optional,
    /** Calendar day in the merchant's zone. */
    day: text,
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'merchant_id', 'number']],
    indexes: [
      { name: 'tenders_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'tenders_by_customer', columns: ['tenant_id', 'customer_id', 'id'], where: 'customer_id IS NOT NULL' },
      { name: 'tenders_by_shift', columns: ['tenant_id', 'shift_id', 'id'], where: 'shift_id IS NOT NULL' },
      { name: 'tenders_of_tenant_by_amount', columns: ['tenant_id', 'amount_minor', 'id'] },
      { name: 'tenders_refunded', columns: ['tenant_id', 'merchant_id', 'id'], where: 'refunded_minor > 0' },
      { name: 'tenders_returned', columns: ['tenant_id', 'id'], where: 'returned_at IS NOT NULL' },
      { name: 'tenders_by_amount', columns: ['tenant_id', 'merchant_id', 'amount_minor', 'id'] },
      {
        name: 'tenders_of_cash_without_shift',
        columns: ['tenant_id', 'merchant_id', 'id'],
        where: "kind = 'cash' AND shift_id IS NULL",
      },
      { name: 'tenders_by_kind', columns: ['tenant_id', 'kind', 'merchant_id', 'id'] },
      { name: 'tenders_by_check_number', columns: ['tenant_id', 'check_number', 'id'], where: 'check_number IS NOT NULL' },
      { name: 'tenders_by_order', columns: ['tenant_id', 'order_key', 'id'], where: 'order_key IS NOT NULL' },
      { name: 'tenders_by_email', columns: ['tenant_id', 'customer_email', 'id'], where: 'customer_email IS NOT NULL' },
      { name: 'tenders_with_items', columns: ['tenant_id', 'merchant_id', 'day', 'id'], where: 'line_items IS NOT NULL' },
    ],
  },
);

export type TenderRow = RowOf<typeof TENDERS>;

/** Refunds of tenders, in the money in which the tender was received. */
export const TENDER_REFUNDS = table(
  'tender_refunds',
  {
    tenant_id: text,
    id: text,
    tender_id: text,
    merchant_id: text,
    number: integer,
    currency: text,
    amount_minor: integer,
    /** Cash that was returned less the amount; 0 if it was not rounded. */
    rounding_minor: integer,
    /** Tax within the amount, taken from that of the tender. */
    tax_minor: integer.optional,
    reason: text.optional,
    drawer: text,
    shift_id: text.optional,
    created_by: text,
    /** Person who approved the refund. */
    approved_by: text.optional,
    /** 1 if the bank returned a check, so that the customer received nothing. */
    is_return: integer,
    /** Gift card or store credit that received the money instead of the original kind. */
    gift_card_id: text.optional,
    day: text,
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'merchant_id', 'number']],
    indexes: [
      { name: 'tender_refunds_by_tender', columns: ['tenant_id', 'tender_id', 'id'] },
      { name: 'tender_refunds_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
    ],
  },
);

export type TenderRefundRow = RowOf<typeof TENDER_REFUNDS>;

/** Last number of the tenders and their refunds of each merchant. */
export const TENDER_NUMBERS = table(
  'tender_numbers',
  { tenant_id: text, merchant_id: text, last: integer },
  { key: ['tenant_id', 'merchant_id'] },
);

/** Number of tenders of a kind on a day, or on all days together (EVERY_DAY), for the totals of lists. */
export const TENDER_COUNTS = table(
  'tender_counts',
  { tenant_id: text, merchant_id: text, day: text, kind: text, n: integer },
  { key: ['tenant_id', 'merchant_id', 'day', 'kind'] },
);
