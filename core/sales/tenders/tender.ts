import { type Currency, type Money, money } from '#core/kernel';
import { type LineItem, lineItemsOf } from '#core/sales/items';
import type { TenderKind, TenderRefundRow, TenderRow } from './schema.ts';

/** A payment received at the counter without a processor, in the form of the API. */
export interface Tender {
  readonly tenderId: string;
  /** Number of the receipt, such as `T-000001`, without gaps per merchant. */
  readonly number: string;
  readonly merchantId: string;
  readonly kind: TenderKind;
  /** Name of an `other` tender; null for cash and checks. */
  readonly name: string | null;
  readonly status: 'received' | 'partially_refunded' | 'refunded' | 'returned';
  readonly amount: Money;
  readonly currency: Currency;
  /** Tax within the amount. */
  readonly taxAmount: Money;
  /** Taken off before `amount`; refunds do not change it. */
  readonly discountAmount: Money;
  /** Person who approved the discount as the second one; null if none was needed. */
  readonly discountApprovedBy: string | null;
  readonly refundedAmount: Money;
  /** Cash that the customer gave; null if it was not entered. */
  readonly amountGiven: Money | null;
  readonly change: Money | null;
  readonly checkNumber: string | null;
  readonly checkBank: string | null;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly orderId: string | null;
  readonly description: string | null;
  /** Lines of the sale; empty if it is not itemized. */
  readonly lineItems: readonly LineItem[];
  readonly invoiceId: string | null;
  readonly drawer: string;
  readonly shiftId: string | null;
  readonly createdBy: string;
  /** Time at which the return of a check by the bank was recorded; null for all others. */
  readonly returnedAt: string | null;
  readonly returnReason: string | null;
  readonly createdAt: string;
}

/** A refund of a tender. */
export interface TenderRefund {
  readonly refundId: string;
  readonly number: string;
  readonly tenderId: string;
  readonly merchantId: string;
  readonly amount: Money;
  readonly currency: Currency;
  /** Tax within the amount. */
  readonly taxAmount: Money;
  readonly reason: string | null;
  readonly drawer: string;
  readonly shiftId: string | null;
  readonly createdBy: string;
  /** Person who approved the refund; null if it needed no approval. */
  readonly approvedBy: string | null;
  /** True if the bank returned a check, so that the customer received nothing. */
  readonly isReturn: boolean;
  readonly createdAt: string;
}

export interface TenderDetail extends Tender {
  /** Refunds, oldest first. */
  readonly refunds: readonly TenderRefund[];
}

const NUMBER_DIGITS = 6;
/** Formats a number of the series of tenders: T-000001. */
export const numberOf = (n: number) => `T-${String(n).padStart(NUMBER_DIGITS, '0')}`;

export function toTender(row: TenderRow): Tender {
  const currency = row.currency as Currency;
  const { amount_minor: amount, refunded_minor: refunded, given_minor: given } = row;
  const lineItems = lineItemsOf(row.line_items, currency);
  // The tax of earlier itemized tenders is in their lines only.
  const tax = row.tax_minor ?? lineItems.reduce((sum, { taxAmount }) => sum + taxAmount.minor, 0);
  return {
    tenderId: row.id,
    number: numberOf(row.number),
    merchantId: row.merchant_id,
    kind: row.kind,
    name: row.name,
    status: row.returned_at !== null ? 'returned' : refunded === 0 ? 'received' : refunded < amount ? 'partially_refunded' : 'refunded',
    amount: money(amount, currency),
    currency,
    taxAmount: money(tax, currency),
    discountAmount: money(row.discount_minor, currency),
    discountApprovedBy: row.discount_approved_by,
    refundedAmount: money(refunded, currency),
    amountGiven: given === null ? null : money(given, currency),
    change: given === null ? null : money(given - amount, currency),
    checkNumber: row.check_number,
    checkBank: row.check_bank,
    customerId: row.customer_id,
    customerName: row.customer_name,
    customerEmail: row.customer_email,
    orderId: row.order_id,
    description: row.description,
    lineItems,
    invoiceId: row.invoice_id,
    drawer: row.drawer,
    shiftId: row.shift_id,
    createdBy: row.created_by,
    returnedAt: row.returned_at,
    returnReason: row.return_reason,
    createdAt: row.created_at,
  };
}

export const toRefund = (row: TenderRefundRow): TenderRefund => ({
  refundId: row.id,
  number: numberOf(row.number),
  tenderId: row.tender_id,
  merchantId: row.merchant_id,
  amount: money(row.amount_minor, row.currency as Currency),
  currency: row.currency as Currency,
  taxAmount: money(row.tax_minor ?? 0, row.currency as Currency),
  reason: row.reason,
  drawer: row.drawer,
  shiftId: row.shift_id,
  createdBy: row.created_by,
  approvedBy: row.approved_by,
  isReturn: row.is_return === 1,
  createdAt: row.created_at,
});
