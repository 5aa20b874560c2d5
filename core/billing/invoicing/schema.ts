import { type BulkStatement, dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime, TenantTime } from '#core/kernel';

/** Kind of an invoice. A link has only an amount. */
export const INVOICE_KINDS = ['invoice', 'link'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];
export const INVOICE_STATUSES = ['draft', 'sent', 'partially_paid', 'paid', 'overdue', 'cancelled'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/**
 * Reason for which the reminders of an invoice ended: by hand, by a payment of a part, because the customer or the bank disputes it, because it is paid in
 * installments, or because the customer was deleted.
 */
export const REMINDER_STOP_REASONS = ['manual', 'payment', 'dispute', 'installments', 'customer_deleted'] as const;
export type ReminderStopReason = (typeof REMINDER_STOP_REASONS)[number];

/** Invoices and payment links. `due_ms` is the time at which an invoice becomes overdue, in the tenant's time. */
export const INVOICES = table(
  'invoices',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    kind: text.of<InvoiceKind>(),
    /** Number without gaps, per merchant. */
    number: text,
    customer_id: text.optional,
    /** Name of the customer when the invoice was created. */
    customer_name: text.optional,
    customer_email: text.optional,
    customer_phone: text.optional,
    customer_company: text.optional,
    /** JSON of CustomerAddress. */
    customer_address: text.optional,
    currency: text,
    amount_minor: integer,
    /** Tax within the amount. */
    tax_minor: integer,
    paid_minor: integer,
    /** Late fees within the amount that were not reversed. */
    late_fee_minor: integer,
    /** Amount reserved by pending payments, so that parallel payments never exceed the amount due. */
    pending_minor: integer,
    /** Amount that can still be paid by bank transfer; null for drafts and links, and if there is none. See `unpaidMinor`. */
    unpaid_minor: integer.optional,
    status: text.of<InvoiceStatus>(),
    due_date: text.optional,
    /** JSON of InvoiceItem[]. */
    items: text,
    note: text.optional,
    description: text.optional,
    /** Purchase order number of a business customer. */
    purchase_order_number: text.optional,
    /** Order, lines as JSON, tip and discount of the payment of a link that replaces another payment; see `LinkContent`. */
    order_id: text.optional,
    payment_lines: text.optional,
    tip_minor: integer,
    discount_minor: integer,
    discount_id: text.optional,
    discount_approved_by: text.optional,
    allow_partial: integer,
    /** 1 if the page asks the payer for a shipping address. */
    collect_shipping: integer,
    /** `yes` if the page of a link asks for a tip; null for the setting of the merchant. */
    ask_for_tip: text.of<'yes' | 'no'>().optional,
    /** Random token; everyone who has it can see and pay this invoice. */
    page_token: text,
    short_code: text,
    /** Address of the open payment page of the processor, for a server without a public address. */
    hosted_url: text.optional,
    /** Time at which the page stops accepting payments, in the tenant's time. */
    expires_ms: integer.of<TenantTime>().optional,
    sent_at: text.optional,
    paid_at: text.optional,
    overdue_at: text.optional,
    cancelled_at: text.optional,
    cancelled_by: text.optional,
    cancel_reason: text.optional,
    /** Time from which no reminder is sent, with the person or program and the reason. */
    reminders_stopped_at: text.optional,
    reminders_stopped_by: text.optional,
    reminders_stop_reason: text.of<ReminderStopReason>().optional,
    /** JSON of the end of reminders that remains if the dispute of a payment is won; null if there is none. */
    reminders_stop_before_dispute: text.optional,
    /** First day on which reminders are sent again after they were continued or a promise was withdrawn; those of earlier days are not sent. */
    reminders_since_day: text.optional,
    /** Day by which the customer promised to pay. */
    promised_date: text.optional,
    /** Person who promised it. */
    promised_by: text.optional,
    promised_at: text.optional,
    promise_recorded_by: text.optional,
    ...dueColumns<TenantTime>(),
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'merchant_id', 'number']],
    indexes: [
      { name: 'invoices_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'invoices_by_amount', columns: ['tenant_id', 'merchant_id', 'amount_minor', 'id'] },
      { name: 'invoices_of_tenant_by_amount', columns: ['tenant_id', 'amount_minor', 'id'] },
      { name: 'invoices_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'invoices_by_merchant_and_status', columns: ['tenant_id', 'merchant_id', 'status', 'id'] },
      { name: 'invoices_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      {
        name: 'invoices_by_unpaid_amount',
        columns: ['tenant_id', 'merchant_id', 'currency', 'unpaid_minor', 'id'],
        where: 'unpaid_minor IS NOT NULL',
      },
      { name: 'invoices_unpaid_by_customer', columns: ['tenant_id', 'customer_id', 'unpaid_minor'], where: 'unpaid_minor IS NOT NULL' },
      { name: 'invoices_by_email', columns: ['tenant_id', 'customer_email', 'id'], where: 'customer_email IS NOT NULL' },
      { name: 'invoices_by_paid', columns: ['tenant_id', 'merchant_id', 'paid_at'], where: 'paid_at IS NOT NULL' },
      { name: 'invoices_by_page', columns: ['page_token'] },
      { name: 'invoices_by_due_date', columns: ['tenant_id', 'merchant_id', 'due_date', 'id'], where: 'due_date IS NOT NULL' },
      { name: 'invoices_of_tenant_by_due_date', columns: ['tenant_id', 'due_date', 'id'], where: 'due_date IS NOT NULL' },
      { name: 'invoices_by_promise', columns: ['tenant_id', 'merchant_id', 'promised_date'], where: 'promised_date IS NOT NULL' },
      { name: 'invoices_due', columns: ['tenant_id', 'due_ms', 'id'], where: 'due_ms IS NOT NULL' },
    ],
    counts: { by: ['merchant_id', 'status', 'kind'] },
  },
);

export type InvoiceRow = RowOf<typeof INVOICES>;

/**
 * Names of the customers to whom a merchant sent invoices, as the texts of banks have them, in capitals without spaces. They are those of the invoices,
 * also of the paid ones, and are erased with the customer.
 */
export const PAYER_NAMES = table(
  'invoice_payer_names',
  {
    tenant_id: text,
    merchant_id: text,
    name: text,
    customer_id: text,
    /** First characters of the name. */
    start: text,
    /** Number of characters. */
    length: integer,
  },
  {
    key: ['tenant_id', 'merchant_id', 'name', 'customer_id'],
    indexes: [{ name: 'invoice_payer_names_by_start', columns: ['tenant_id', 'merchant_id', 'start', 'length'] }],
  },
);

export const STORE_PAYER_NAME: BulkStatement<RowOf<typeof PAYER_NAMES>> = {
  columns: { tenant_id: 'text', merchant_id: 'text', name: 'text', customer_id: 'text', start: 'text', length: 'integer' },
  sql: `INSERT INTO invoice_payer_names (tenant_id, merchant_id, name, customer_id, start, length) SELECT given.tenant_id, given.merchant_id, given.name, given.customer_id, given.start, given.length FROM {rows} AS given WHERE true ON CONFLICT (tenant_id, merchant_id, name, customer_id) DO NOTHING`,
};

/** Last invoice number of each merchant. */
export const INVOICE_NUMBERS = table(
  'invoice_numbers',
  {
    tenant_id: text,
    merchant_id: text,
    last: integer,
  },
  { key: ['tenant_id', 'merchant_id'] },
);

export const PAYMENT_METHODS = ['cash', 'check', 'card', 'ach', 'token', 'other'] as const;
/** Kinds of recorded payments. A bank transfer is recorded by the match of its bank line only, so that it is counted once. */
export const RECORDED_METHODS = [...PAYMENT_METHODS, 'bank_transfer'] as const;
export type InvoicePaymentMethod = (typeof RECORDED_METHODS)[number];
export const INVOICE_PAYMENT_STATUSES = ['pending', 'succeeded', 'failed', 'voided'] as const;
export type InvoicePaymentStatus = (typeof INVOICE_PAYMENT_STATUSES)[number];

/** Payments of invoices. `due_ms` is the time of the next check of a pending payment, in case its request was lost. */
export const INVOICE_PAYMENTS = table(
  'invoice_payments',
  {
    tenant_id: text,
    id: text,
    invoice_id: text,
    /** Amount that pays the invoice. The transaction has the tip and the surcharge in addition. */
    amount_minor: integer,
    /** Share of the tax of the invoice within the amount. */
    tax_minor: integer,
    tip_minor: integer,
    surcharge_minor: integer,
    currency: text,
    method: text.of<InvoicePaymentMethod>(),
    status: text.of<InvoicePaymentStatus>(),
    /** Source of the payment: a person or program, or the payer on the hosted page. */
    origin: text.of<'desk' | 'page'>(),
    actor: text,
    /** Null for a payment that was not made through Paydesk. */
    transaction_id: text.optional,
    /** Tender of a payment in cash, by check or otherwise without a processor; null for other payments. */
    tender_id: text.optional,
    /** Reference, such as a check number. */
    reference: text.optional,
    note: text.optional,
    /** Identifies one submission of the pay page's form, so that a form sent twice pays once. */
    attempt_key: text.optional,
    decline_code: text.optional,
    decline_reason: text.optional,
    /** Address for the receipt until it is sent. */
    receipt_email: text.optional,
    idempotency_credential: text.optional,
    idempotency_key: text.optional,
    idempotency_route: text.optional,
    ...dueColumns<RealTime>(),
    created_at: text,
    concluded_at: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'invoice_payments_by_invoice', columns: ['tenant_id', 'invoice_id', 'id'] },
      {
        name: 'invoice_payments_once',
        columns: ['tenant_id', 'invoice_id', 'attempt_key'],
        where: 'attempt_key IS NOT NULL',
        unique: true,
      },
      { name: 'invoice_payments_by_transaction', columns: ['tenant_id', 'transaction_id'], where: 'transaction_id IS NOT NULL' },
      { name: 'invoice_payments_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type InvoicePaymentRow = RowOf<typeof INVOICE_PAYMENTS>;

/** Payments of several invoices by one submission of a customer's page. */
export const PAYMENT_GROUPS = table(
  'invoice_payment_groups',
  {
    tenant_id: text,
    id: text,
    customer_id: text,
    /** Identifies one submission of the form, so that a form sent twice pays once. */
    attempt_key: text,
    /** JSON of the invoices with their payments and amounts. A payment that does not exist was not charged. */
    payments: text,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'customer_id', 'attempt_key']] },
);

export type PaymentGroupRow = RowOf<typeof PAYMENT_GROUPS>;

/** Visits of the page of an invoice by one browser. They are evidence if a payment of the invoice is disputed. */
export const INVOICE_VISITS = table(
  'invoice_visits',
  {
    tenant_id: text,
    invoice_id: text,
    /** Hash of the random ID, the address and the name of the browser. */
    visitor: text,
    /** JSON of Visitor, encrypted. */
    sealed: text,
    visits: integer,
    first_at: text,
    last_at: text,
  },
  { key: ['tenant_id', 'invoice_id', 'visitor'], indexes: [{ name: 'invoice_visits_by_time', columns: ['tenant_id', 'last_at'] }] },
);

export type InvoiceVisitRow = RowOf<typeof INVOICE_VISITS>;

/** Short addresses of Paydesk pages, unique over all tenants. */
export const SHORT_LINKS = table(
  'short_links',
  {
    tenant_id: text,
    code: text,
    /** Path and query of the page. */
    target: text,
    invoice_id: text.optional,
    expires_ms: integer.of<TenantTime>().optional,
    created_at: text,
  },
  { key: ['tenant_id', 'code'], indexes: [{ name: 'short_links_by_code', columns: ['code'], unique: true }] },
);

export type ShortLinkRow = RowOf<typeof SHORT_LINKS>;

/** Time at which the reminders of a merchant are sent next. `id` is that of the merchant; `due_ms` is null while reminders are off. */
export const REMINDER_RUNS = table(
  'reminder_runs',
  {
    tenant_id: text,
    id: text,
    /** Day on which reminders were switched on. Reminders of earlier days are not sent. */
    since_day: text,
    send_at: text,
    /** JSON of the days of the week. */
    weekdays: text,
    /** Due date and ID of the last invoice that was looked at, in the run of `run_day`; null if no run is unfinished. */
    run_day: text.optional,
    after_due_date: text.optional,
    after_id: text.optional,
    ...dueColumns<TenantTime>(),
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'reminder_runs_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

export type ReminderRunRow = RowOf<typeof REMINDER_RUNS>;
