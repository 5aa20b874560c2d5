import { type Currency, isoTime, type Money, money } from '#core/kernel';
import type { Delivery } from '#core/records/notifications';
import type { CustomerAddress } from '#core/sales/customers';
import { type InvoiceItem, itemsOf } from './items.ts';
import type { FoundPayment } from './repository.ts';
import type { InvoiceKind, InvoicePaymentMethod, InvoicePaymentRow, InvoicePaymentStatus, InvoiceRow, InvoiceStatus } from './schema.ts';
import type { AskForTip } from './tips.ts';

/** A payment of an invoice, or an attempt to pay it. */
export interface InvoicePayment {
  readonly paymentId: string;
  readonly method: InvoicePaymentMethod;
  /** Amount that pays the invoice, without tip and surcharge. */
  readonly amount: Money;
  /** Share of the tax of the invoice within the amount. */
  readonly taxAmount: Money;
  readonly tipAmount: Money;
  readonly surchargeAmount: Money;
  readonly status: InvoicePaymentStatus;
  /** Null for a payment that was not made through Paydesk, such as cash or a check. */
  readonly transactionId: string | null;
  /** Tender of a payment without a processor; null for other payments. */
  readonly tenderId: string | null;
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly bankAccount: { readonly last4: string } | null;
  /** Reference, such as a check number. */
  readonly reference: string | null;
  readonly note: string | null;
  /** `desk`: recorded or charged by the merchant or its program. `page`: made by the payer on the pay page. */
  readonly origin: 'desk' | 'page';
  readonly actor: string;
  readonly declineCode: string | null;
  readonly declineReason: string | null;
  /** Refunded amount. A refund does not reopen the invoice. */
  readonly refundedAmount: Money;
  readonly createdAt: string;
}

/** Customer of an invoice, as it was when the invoice was written. */
export interface InvoiceCustomer {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  readonly address: CustomerAddress | null;
}

/** An invoice with its payments. A payment link has the kind `link`. */
export interface Invoice {
  readonly invoiceId: string;
  readonly tenantId: string;
  readonly number: string;
  readonly kind: InvoiceKind;
  readonly merchantId: string;
  readonly customerId: string | null;
  /** Customer details at the time of creation. */
  readonly customer: InvoiceCustomer | null;
  readonly amount: Money;
  /** Tax within the amount. */
  readonly taxAmount: Money;
  readonly amountPaid: Money;
  /** Amount reserved by pending payments. */
  readonly amountPending: Money;
  /** Amount less the amount paid. */
  readonly amountDue: Money;
  readonly currency: Currency;
  readonly dueDate: string | null;
  readonly items: readonly InvoiceItem[];
  readonly note: string | null;
  readonly description: string | null;
  readonly purchaseOrderNumber: string | null;
  /** True if the payer may pay a part of it on the page. */
  readonly allowPartial: boolean;
  /** True if the page asks the payer for a shipping address. */
  readonly collectShippingAddress: boolean;
  /** `yes` if the page of a link asks for a tip. */
  readonly askForTip: AskForTip;
  readonly status: InvoiceStatus;
  /** Delivery of its messages; null if there is none. The status `sent` says only that it was requested. */
  readonly delivery: Delivery | null;
  readonly sentAt: string | null;
  readonly paidAt: string | null;
  readonly overdueAt: string | null;
  readonly cancelledAt: string | null;
  readonly cancelReason: string | null;
  /** Time at which the page stops accepting payments. */
  readonly expiresAt: string | null;
  readonly url: string;
  readonly shortUrl: string;
  /** True if the addresses open on this computer only. */
  readonly isLocalOnly: boolean;
  /** Payments, oldest first; of those that failed on the pay page, only the newest twenty. */
  readonly payments: readonly InvoicePayment[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An invoice with the IDs of its messages in the outbox. */
export interface SentInvoice {
  readonly invoice: Invoice;
  readonly messageIds: readonly string[];
}

/** The addresses of an invoice's page. */
export type Addresses = Pick<Invoice, 'url' | 'shortUrl' | 'isLocalOnly'>;

export function toInvoice(row: InvoiceRow, addresses: Addresses, payments: readonly FoundPayment[], delivery: Delivery | null): Invoice {
  const currency = row.currency as Currency;
  return {
    invoiceId: row.id,
    tenantId: row.tenant_id,
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
    expiresAt: row.expires_ms === null ? null : isoTime(row.expires_ms),
    ...addresses,
    payments: payments.map(toPayment),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
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
    createdAt: row.created_at,
  };
}

/** A payment as the page shows it to the payer. */
export interface PagePayment {
  readonly paymentId: string;
  /** Amount that pays the invoice, without tip and surcharge. */
  readonly amount: Money;
  readonly tipAmount: Money;
  readonly surchargeAmount: Money;
  readonly status: InvoicePaymentStatus;
  readonly declineCode: string | null;
  readonly transactionId: string | null;
  readonly createdAt: string;
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
