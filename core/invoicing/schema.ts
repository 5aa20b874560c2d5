import { table } from '#core/database';
import type { OnceColumns } from '#core/platform/idempotency';
import type { DueRow } from '#core/platform/scheduling';

/** A link is an invoice that was made with its amount alone (specification 4.1, generate-url). */
export type InvoiceKind = 'invoice' | 'link';
export type InvoiceStatus = 'draft' | 'sent' | 'partially_paid' | 'paid' | 'overdue' | 'cancelled';

/** `due_ms` is when it becomes overdue, in the tenant's time. */
export interface InvoiceRow extends DueRow {
  merchant_id: string;
  kind: InvoiceKind;
  /** Without gaps for each merchant. */
  number: string;
  customer_id: string | null;
  /** Who is asked to pay, as it was when the invoice was made. */
  customer_name: string | null;
  customer_email: string | null;
  customer_phone: string | null;
  currency: string;
  amount_minor: number;
  paid_minor: number;
  /** What payments under way hold, so that two never pay more than is due. */
  pending_minor: number;
  status: InvoiceStatus;
  due_date: string | null;
  /** JSON of InvoiceItem[]. */
  items: string;
  note: string | null;
  description: string | null;
  allow_partial: number;
  /** Unguessable: whoever has it may see and pay this invoice. */
  page_token: string;
  short_code: string;
  /** When its page takes no more payments, in the tenant's time. */
  expires_ms: number | null;
  sent_at: string | null;
  paid_at: string | null;
  overdue_at: string | null;
  cancelled_at: string | null;
  cancelled_by: string | null;
  cancel_reason: string | null;
  created_at: string;
  updated_at: string;
}

export const INVOICES = table<InvoiceRow>(
  'invoices',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    kind: 'text',
    number: 'text',
    customer_id: 'text?',
    customer_name: 'text?',
    customer_email: 'text?',
    customer_phone: 'text?',
    currency: 'text',
    amount_minor: 'integer',
    paid_minor: 'integer',
    pending_minor: 'integer',
    status: 'text',
    due_date: 'text?',
    items: 'text',
    note: 'text?',
    description: 'text?',
    allow_partial: 'integer',
    page_token: 'text',
    short_code: 'text',
    expires_ms: 'integer?',
    sent_at: 'text?',
    paid_at: 'text?',
    overdue_at: 'text?',
    cancelled_at: 'text?',
    cancelled_by: 'text?',
    cancel_reason: 'text?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    created_at: 'text',
    updated_at: 'text',
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'merchant_id', 'number']],
    indexes: [
      { name: 'invoices_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'invoices_by_status', columns: ['tenant_id', 'status', 'id'] },
      { name: 'invoices_by_customer', columns: ['tenant_id', 'customer_id', 'id'] },
      { name: 'invoices_by_email', columns: ['tenant_id', 'customer_email', 'id'], where: 'customer_email IS NOT NULL' },
      { name: 'invoices_by_paid', columns: ['tenant_id', 'merchant_id', 'paid_at'], where: 'paid_at IS NOT NULL' },
      { name: 'invoices_by_page', columns: ['page_token'] },
      { name: 'invoices_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

/** The last number that a merchant's invoices were given. */
export interface InvoiceNumberRow {
  tenant_id: string;
  merchant_id: string;
  last: number;
}

export const INVOICE_NUMBERS = table<InvoiceNumberRow>(
  'invoice_numbers',
  { tenant_id: 'text', merchant_id: 'text', last: 'integer' },
  { key: ['tenant_id', 'merchant_id'] },
);

export type InvoicePaymentMethod = 'cash' | 'check' | 'card' | 'ach' | 'token' | 'other';
export type InvoicePaymentStatus = 'pending' | 'succeeded' | 'failed' | 'voided';

/** `due_ms` is when a payment under way is looked at again, in case its request was lost. */
export interface InvoicePaymentRow extends DueRow, OnceColumns {
  invoice_id: string;
  amount_minor: number;
  currency: string;
  method: InvoicePaymentMethod;
  status: InvoicePaymentStatus;
  /** Who took it: the desk or a program, or the payer on the hosted page. */
  origin: 'desk' | 'page';
  actor: string;
  /** null for what was taken without us. */
  transaction_id: string | null;
  /** Such as the number of a check. */
  reference: string | null;
  note: string | null;
  /** Names one press of the page's button: the same form sent twice pays once. */
  attempt_key: string | null;
  decline_code: string | null;
  decline_reason: string | null;
  /** Where the payer wants the receipt, until it is written. */
  receipt_email: string | null;
  created_at: string;
  concluded_at: string | null;
}

export const INVOICE_PAYMENTS = table<InvoicePaymentRow>(
  'invoice_payments',
  {
    tenant_id: 'text',
    id: 'text',
    invoice_id: 'text',
    amount_minor: 'integer',
    currency: 'text',
    method: 'text',
    status: 'text',
    origin: 'text',
    actor: 'text',
    transaction_id: 'text?',
    reference: 'text?',
    note: 'text?',
    attempt_key: 'text?',
    decline_code: 'text?',
    decline_reason: 'text?',
    receipt_email: 'text?',
    once_credential: 'text?',
    once_key: 'text?',
    once_route: 'text?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    created_at: 'text',
    concluded_at: 'text?',
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

/** A short address of a page of ours; no two tenants have the same. */
export interface ShortLinkRow {
  tenant_id: string;
  code: string;
  /** Path and query of the page. */
  target: string;
  invoice_id: string | null;
  expires_ms: number | null;
  created_at: string;
}

export const SHORT_LINKS = table<ShortLinkRow>(
  'short_links',
  { tenant_id: 'text', code: 'text', target: 'text', invoice_id: 'text?', expires_ms: 'integer?', created_at: 'text' },
  { key: ['tenant_id', 'code'], indexes: [{ name: 'short_links_by_code', columns: ['code'], unique: true }] },
);
