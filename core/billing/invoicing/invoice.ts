import { type Currency, isoTime, money } from '#core/kernel';
import type { Delivery } from '#core/records/notifications';
import type { CustomerAddress } from '#core/sales/customers';
import { itemsOf } from './items.ts';
import type { Invoice, InvoiceCustomer, InvoicePayment, PagePayment } from './records.ts';
import type { FoundPayment } from './repository.ts';
import type { InvoicePaymentRow, InvoiceRow } from './schema.ts';

/** A sent invoice with the IDs of its messages in the outbox. */
export interface Sent {
  readonly invoice: Invoice;
  readonly messageIds: readonly string[];
}

/** The addresses of an invoice's page. */
export type Addresses = Pick<Invoice, 'url' | 'shortUrl' | 'isLocalOnly'>;

export function toInvoice(row: InvoiceRow, addresses: Addresses, payments: readonly FoundPayment[], delivery: Delivery | null): Invoice {
  const currency = row.currency as Currency;
  return {
    invoiceId: row.id,
    number: row.number,
    kind: row.kind,
    merchantId: row.merchant_id,
    customerId: row.customer_id,
    customer: customerOf(row),
    amount: money(row.amount_minor, currency),
    taxAmount: money(row.tax_minor, currency),
    amountPaid: money(row.paid_minor, currency),
    amountPending: money(row.pending_minor, currency),
    amountDue: money(row.amount_minor - row.paid_minor, currency),
    currency,
    dueDate: row.due_date,
    items: itemsOf(row.items, currency),
    note: row.note,
    description: row.description,
    purchaseOrderNumber: row.purchase_order_number,
    allowPartial: row.allow_partial === 1,
    collectShippingAddress: row.collect_shipping === 1,
    askForTip: row.ask_for_tip ?? 'default',
    status: row.status,
    delivery,
    sentAt: row.sent_at,
    paidAt: row.paid_at,
    overdueAt: row.overdue_at,
    cancelledAt: row.cancelled_at,
    cancelReason: row.cancel_reason,
    promise: promiseOf(row),
    remindersStopped: stoppedOf(row),
    expiresAt: row.expires_ms === null ? null : isoTime(row.expires_ms),
    ...addresses,
    payments: payments.map(toPayment),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function promiseOf({
  promised_date: date,
  promised_by: by,
  promised_at: at,
  promise_recorded_by: recordedBy,
}: InvoiceRow): Invoice['promise'] {
  return date === null || by === null || at === null ? null : { date, by, at, recordedBy: recordedBy ?? '' };
}

function stoppedOf({
  reminders_stopped_at: at,
  reminders_stopped_by: by,
  reminders_stop_reason: reason,
}: InvoiceRow): Invoice['remindersStopped'] {
  return at === null || reason === null ? null : { at, by: by ?? '', reason };
}

function customerOf(row: InvoiceRow): InvoiceCustomer | null {
  const { customer_name: name, customer_email: email, customer_phone: phone, customer_company: company, customer_address: address } = row;
  if ([name, email, phone, company, address].every((each) => each === null)) return null;
  return { name, email, phone, company, address: address === null ? null : (JSON.parse(address) as CustomerAddress) };
}

function toPayment(row: FoundPayment): InvoicePayment {
  const currency = row.currency as Currency;
  const { card_brand: brand, last4 } = row;
  return {
    paymentId: row.id,
    method: row.method,
    amount: money(row.amount_minor, currency),
    taxAmount: money(row.tax_minor, currency),
    tipAmount: money(row.tip_minor, currency),
    surchargeAmount: money(row.surcharge_minor, currency),
    status: row.status,
    transactionId: row.transaction_id,
    tenderId: row.tender_id,
    card: brand === null || last4 === null ? null : { brand, last4 },
    bankAccount: row.account_type === null || last4 === null ? null : { last4 },
    reference: row.reference,
    note: row.note,
    origin: row.origin,
    actor: row.actor,
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    refundedAmount: money(row.refunded_minor ?? 0, currency),
    roundingAmount: money(row.rounding_minor, currency),
    createdAt: row.created_at,
  };
}

export function toPagePayment(row: InvoicePaymentRow): PagePayment {
  const currency = row.currency as Currency;
  return {
    paymentId: row.id,
    amount: money(row.amount_minor, currency),
    tipAmount: money(row.tip_minor, currency),
    surchargeAmount: money(row.surcharge_minor, currency),
    status: row.status,
    declineCode: row.decline_code,
    transactionId: row.transaction_id,
    createdAt: row.created_at,
  };
}
