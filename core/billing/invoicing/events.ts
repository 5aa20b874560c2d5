import type { Work } from '#core/database';
import { type Actor, type Currency, formatDecimal, type Money, money } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { InvoicePaymentRow, InvoiceRow } from './schema.ts';

type InvoiceEvent = 'invoice.paid' | 'invoice.partially_paid' | 'invoice.overdue';

/** Emits an event about an invoice in the unit of work of the change. */
export async function emitInvoiceEvent(
  deps: Dependencies,
  work: Work,
  type: InvoiceEvent,
  row: InvoiceRow,
  transactionId: string | null,
  atMs: number,
): Promise<void> {
  const currency = row.currency as Currency;
  const data = {
    invoiceId: row.id,
    transactionId,
    amountPaid: money(row.paid_minor, currency),
    amountDue: money(row.amount_minor - row.paid_minor, currency),
    status: row.status,
    customer: { email: row.customer_email },
  };
  deps.emit(work, { tenantId: row.tenant_id, merchantId: row.merchant_id, type, resourceId: row.id, atMs, data });
}

/** Fields of every event about an unpaid invoice. */
const openData = (row: InvoiceRow) => ({
  invoiceId: row.id,
  number: row.number,
  dueDate: row.due_date,
  amountDue: money(row.amount_minor - row.paid_minor, row.currency as Currency),
  currency: row.currency,
  status: row.status,
  customer: { email: row.customer_email },
});

/** Emits the event of a reminder in the unit of work of its message. */
export function emitReminder(
  deps: Dependencies,
  work: Work,
  row: InvoiceRow,
  reminder: { readonly days: number; readonly channel: string; readonly messageId: string },
  atMs: number,
): void {
  const base = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
  deps.emit(work, { ...base, type: 'invoice.reminder_sent', data: { ...openData(row), ...reminder } });
}

/** Emits the event of a promise to pay. */
export function emitPromise(deps: Dependencies, work: Work, row: InvoiceRow, atMs: number): void {
  const base = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
  const data = { ...openData(row), promisedDate: row.promised_date, promisedBy: row.promised_by };
  deps.emit(work, { ...base, type: 'invoice.promised', data });
}

/** Emits the event of a late fee that was charged or reversed. */
export function emitLateFee(
  deps: Dependencies,
  work: Work,
  type: 'invoice.late_fee_charged' | 'invoice.late_fee_reversed',
  row: InvoiceRow,
  {
    lateFeeId,
    period,
    amount,
    reason,
  }: { readonly lateFeeId: string; readonly period: number; readonly amount: Money; readonly reason: string | null },
  atMs: number,
): void {
  const base = { tenantId: row.tenant_id, merchantId: row.merchant_id, resourceId: row.id, atMs };
  deps.emit(work, { ...base, type, data: { ...openData(row), lateFeeId, period, feeAmount: amount, reason } });
}

/** Returns the fields of an invoice that the audit log keeps. */
function auditFields(row: InvoiceRow) {
  const decimal = (minor: number) => formatDecimal(money(minor, row.currency as Currency));
  return {
    number: row.number,
    status: row.status,
    customerId: row.customer_id,
    amount: decimal(row.amount_minor),
    taxAmount: decimal(row.tax_minor),
    amountPaid: decimal(row.paid_minor),
    lateFees: decimal(row.late_fee_minor),
    currency: row.currency,
    dueDate: row.due_date,
    items: JSON.parse(row.items),
    note: row.note,
    description: row.description,
    purchaseOrderNumber: row.purchase_order_number,
    allowPartial: row.allow_partial === 1,
    collectShippingAddress: row.collect_shipping === 1,
    askForTip: row.ask_for_tip ?? 'default',
    sentAt: row.sent_at,
    expiresMs: row.expires_ms,
    cancelReason: row.cancel_reason,
    remindersStopReason: row.reminders_stop_reason,
    promisedDate: row.promised_date,
    promisedBy: row.promised_by,
  };
}

/** Writes the audit entry of a change. `more` adds details, such as a payment or the recipients. */
export function auditInvoice(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'credentialId' | 'name' | 'ip' | 'requestId'>,
  action: string,
  before: InvoiceRow | null,
  after: InvoiceRow,
  more: Record<string, unknown> = {},
): void {
  deps.audit(work, {
    actor,
    action: `invoice.${action}`,
    resource: `invoices/${after.id}`,
    merchantId: after.merchant_id,
    before: before === null ? null : auditFields(before),
    after: { ...auditFields(after), ...more },
  });
}

/** Returns the fields of a payment for an audit entry. */
export function paymentFields({ id, method, amount_minor, currency, transaction_id, reference, origin, status }: InvoicePaymentRow) {
  return {
    payment: {
      paymentId: id,
      method,
      amount: formatDecimal(money(amount_minor, currency as Currency)),
      transactionId: transaction_id,
      reference,
      origin,
      status,
    },
  };
}
