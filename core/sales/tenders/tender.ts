import { type Currency, money } from '#core/kernel';
import { lineItemsOf } from '#core/sales/items';
import type { Tender, TenderRefund } from './records.ts';
import type { TenderRefundRow, TenderRow } from './schema.ts';

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
    roundingAmount: money(row.rounding_minor, currency),
    taxAmount: money(tax, currency),
    discountAmount: money(row.discount_minor, currency),
    discountApprovedBy: row.discount_approved_by,
    refundedAmount: money(refunded, currency),
    amountGiven: given === null ? null : money(given, currency),
    change: given === null ? null : money(given - amount - row.rounding_minor, currency),
    checkNumber: row.check_number,
    checkBank: row.check_bank,
    giftCardId: row.gift_card_id,
    giftCardLastCharacters: row.gift_card_last4,
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
  roundingAmount: money(row.rounding_minor, row.currency as Currency),
  taxAmount: money(row.tax_minor ?? 0, row.currency as Currency),
  reason: row.reason,
  drawer: row.drawer,
  shiftId: row.shift_id,
  createdBy: row.created_by,
  approvedBy: row.approved_by,
  isReturn: row.is_return === 1,
  giftCardId: row.gift_card_id,
  createdAt: row.created_at,
});
