import { formatDecimal, isoTime, type Money, money, storedCurrency } from '#core/kernel';
import { lineItemsOf } from '#core/sales/items';
import type { QueuedPayment } from './records.ts';
import type { QueuedPaymentRow } from './schema.ts';

export function toQueuedPayment(row: QueuedPaymentRow): QueuedPayment {
  const isCard = row.method_kind === 'card';
  const currency = storedCurrency(row.currency);
  return {
    queuedPaymentId: row.id,
    merchantId: row.merchant_id,
    status: row.status,
    amount: amountOf(row),
    tipAmount: money(row.tip_minor, currency),
    taxAmount: money(row.tax_minor, currency),
    discountAmount: money(row.discount_minor, currency),
    discountApprovedBy: row.discount_approved_by,
    currency,
    customerId: row.customer_id,
    customerName: row.customer_name,
    paymentMethodId: row.payment_method_id,
    card: isCard ? { brand: row.card_brand ?? 'card', last4: row.last4 } : null,
    bankAccount: isCard ? null : { last4: row.last4 },
    orderId: row.order_id,
    description: row.description,
    channel: row.channel,
    lineItems: lineItemsOf(row.line_items, currency),
    transactionId: row.transaction_id,
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    invoiceId: row.invoice_id,
    createdBy: row.created_by,
    changedBy: row.changed_by,
    expiresAt: isoTime(row.expires_ms),
    concludedAt: row.concluded_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const amountOf = (row: Pick<QueuedPaymentRow, 'amount_minor' | 'currency'>): Money =>
  money(row.amount_minor, storedCurrency(row.currency));

/** Returns the data of an event. */
export const eventData = (row: QueuedPaymentRow) => ({
  queuedPaymentId: row.id,
  customerId: row.customer_id,
  amount: amountOf(row),
  currency: row.currency,
  status: row.status,
  transactionId: row.transaction_id,
  declineCode: row.decline_code,
  declineReason: row.decline_reason,
  invoiceId: row.invoice_id,
});

/** Returns the fields that the audit log keeps. */
export const auditFields = (row: QueuedPaymentRow) => ({
  status: row.status,
  amount: formatDecimal(amountOf(row)),
  currency: row.currency,
  ...(row.discount_minor > 0 && { discountAmount: formatDecimal(money(row.discount_minor, storedCurrency(row.currency))) }),
  ...(row.discount_approved_by !== null && { discountApprovedBy: row.discount_approved_by }),
  customerId: row.customer_id,
  paymentMethodId: row.payment_method_id,
  transactionId: row.transaction_id,
  declineCode: row.decline_code,
  invoiceId: row.invoice_id,
});
