import { type Currency, isoTime, type Money, money } from '#core/kernel';
import { type InvoiceItem, itemsOf } from './items.ts';
import type { FoundPayment } from './repository.ts';
import type { InvoiceKind, InvoicePaymentMethod, InvoicePaymentRow, InvoicePaymentStatus, InvoiceRow, InvoiceStatus } from './schema.ts';

/** Money that came in on an invoice, or that somebody tried to pay. */
export interface InvoicePayment {
  readonly paymentId: string;
  readonly method: InvoicePaymentMethod;
  readonly amount: Money;
  readonly status: InvoicePaymentStatus;
  /** null for what was taken without us: cash, a check. */
  readonly transactionId: string | null;
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly bankAccount: { readonly last4: string } | null;
  /** Such as the number of a check. */
  readonly reference: string | null;
  readonly note: string | null;
  /** desk: taken by the merchant or its program. page: by the payer on the hosted page. */
  readonly origin: 'desk' | 'page';
  readonly actor: string;
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  /** What was given back of it since; it does not open the invoice again. */
  readonly refundedAmount: Money;
  readonly createdAt: string;
}

/** What a customer owes, with what was paid on it (specification 2.6, decisions 7). A link is one of kind `link`. */
export interface Invoice {
  readonly invoiceId: string;
  readonly tenantId: string;
  readonly number: string;
  readonly kind: InvoiceKind;
  readonly merchantId: string;
  readonly customerId: string | null;
  /** As they were when the invoice was made. */
  readonly customer: { readonly name: string | null; readonly email: string | null; readonly phone: string | null } | null;
  readonly amount: Money;
  readonly amountPaid: Money;
  /** What payments under way hold. */
  readonly amountPending: Money;
  /** The amount less what is paid. */
  readonly amountDue: Money;
  readonly currency: Currency;
  readonly dueDate: string | null;
  readonly items: readonly InvoiceItem[];
  readonly note: string | null;
  readonly description: string | null;
  /** Whether the payer may pay a part of it on the page. */
  readonly allowPartial: boolean;
  readonly status: InvoiceStatus;
  readonly sentAt: string | null;
  readonly paidAt: string | null;
  readonly overdueAt: string | null;
  readonly cancelledAt: string | null;
  readonly cancelReason: string | null;
  /** When its page takes no more payments. */
  readonly expiresAt: string | null;
  readonly url: string;
  readonly shortUrl: string;
  /** Whether the addresses open on this computer alone. */
  readonly isLocalOnly: boolean;
  /** The oldest first; of those that failed on the page, the newest twenty. */
  readonly payments: readonly InvoicePayment[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The addresses of an invoice's page. */
export type Addresses = Pick<Invoice, 'url' | 'shortUrl' | 'isLocalOnly'>;

export function toInvoice(row: InvoiceRow, addresses: Addresses, payments: readonly FoundPayment[]): Invoice {
  const currency = row.currency as Currency;
  const { customer_name: name, customer_email: email, customer_phone: phone } = row;
  return {
    invoiceId: row.id,
    tenantId: row.tenant_id,
    number: row.number,
    kind: row.kind,
    merchantId: row.merchant_id,
    customerId: row.customer_id,
    customer: name === null && email === null && phone === null ? null : { name, email, phone },
    amount: money(row.amount_minor, currency),
    amountPaid: money(row.paid_minor, currency),
    amountPending: money(row.pending_minor, currency),
    amountDue: money(row.amount_minor - row.paid_minor, currency),
    currency,
    dueDate: row.due_date,
    items: itemsOf(row.items, currency),
    note: row.note,
    description: row.description,
    allowPartial: row.allow_partial === 1,
    status: row.status,
    sentAt: row.sent_at,
    paidAt: row.paid_at,
    overdueAt: row.overdue_at,
    cancelledAt: row.cancelled_at,
    cancelReason: row.cancel_reason,
    expiresAt: row.expires_ms === null ? null : isoTime(row.expires_ms),
    ...addresses,
    payments: payments.map(toPayment),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toPayment(row: FoundPayment): InvoicePayment {
  const currency = row.currency as Currency;
  const { card_brand: brand, last4 } = row;
  return {
    paymentId: row.id,
    method: row.method,
    amount: money(row.amount_minor, currency),
    status: row.status,
    transactionId: row.transaction_id,
    card: brand === null || last4 === null ? null : { brand, last4 },
    bankAccount: row.account_type === null || last4 === null ? null : { last4 },
    reference: row.reference,
    note: row.note,
    origin: row.origin,
    actor: row.actor,
    declineCode: row.decline_code,
    declineReason: row.decline_reason,
    refundedAmount: money(row.refunded_minor ?? 0, currency),
    createdAt: row.created_at,
  };
}

/** A payment as the page shows it to who made it. */
export interface PagePayment {
  readonly paymentId: string;
  readonly amount: Money;
  readonly status: InvoicePaymentStatus;
  readonly declineCode: string | null;
  readonly transactionId: string | null;
  readonly createdAt: string;
}

export function toPagePayment(row: InvoicePaymentRow): PagePayment {
  return {
    paymentId: row.id,
    amount: money(row.amount_minor, row.currency as Currency),
    status: row.status,
    declineCode: row.decline_code,
    transactionId: row.transaction_id,
    createdAt: row.created_at,
  };
}
