import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';
import type { HostedPageDelivery } from '#core/processing/gateways';

/**
 * Status of a page. `creating`: written, and the request to the processor is under way. `open`: the payer can pay. `paid`: its payment pays the invoice.
 * `overpaid`: the invoice did not need all of its payments. `review`: the processor shows payments that are not booked. `closed`: by a person, or
 * because the invoice no longer needs it. `expired`: nobody opened it in time. `failed`: the processor did not create it.
 */
export const HOSTED_PAGE_STATUSES = ['creating', 'open', 'paid', 'overpaid', 'review', 'closed', 'expired', 'failed'] as const;
export type HostedPageState = (typeof HOSTED_PAGE_STATUSES)[number];

/**
 * Problem of a page. `creation_unknown`: the answer of the processor is lost, so that the payer may have the page. `no_answer`: the last inquiry had no
 * answer. `in_review`: the processor has not decided a payment. `not_closed`: the processor did not confirm the closing. `other_amount`,
 * `several_payments`, `undetermined`: what the processor shows needs a person.
 */
export const HOSTED_PAGE_PROBLEMS = [
  'creation_unknown',
  'no_answer',
  'in_review',
  'not_closed',
  'other_amount',
  'several_payments',
  'undetermined',
] as const;
export type HostedPageProblem = (typeof HOSTED_PAGE_PROBLEMS)[number];

/**
 * Payment pages at processors, written before they are created. `due_ms` is the time of the next inquiry. A page without `ended_at` is the only one of its
 * invoice.
 */
export const HOSTED_PAGES = table(
  'hosted_pages',
  {
    tenant_id: text,
    id: text,
    invoice_id: text,
    merchant_id: text,
    gateway_id: text,
    /** Name of the gateway at the time of the creation. */
    gateway: text,
    /** Paydesk's reference, by which the processor shows the payments of the page. */
    processor_ref: text,
    delivery: text.of<HostedPageDelivery>(),
    amount_minor: integer,
    currency: text,
    status: text.of<HostedPageState>(),
    /** The processor's ID of the page, which closes it. */
    reference: text.optional,
    /** JSON of HostedPageAddress, encrypted. */
    sealed_address: text.optional,
    /** Address to which the processor emails the page. */
    emailed_to: text.optional,
    /** Time until which the page must be opened. */
    opens_until_ms: integer.of<RealTime>().optional,
    /** Time until which the payments of an ended page are still asked for. */
    watch_until_ms: integer.of<RealTime>().optional,
    /** 1 if a person wants it closed; 2 if also without the processor. */
    is_close_wanted: integer,
    problem: text.of<HostedPageProblem>().optional,
    /** JSON of the payments that are not booked: reference, amount and currency. */
    found: text.optional,
    /** First payment that was recorded. */
    transaction_id: text.optional,
    /** The processor's reference of this payment. */
    payment_reference: text.optional,
    /** Time of the last inquiry without an answer, if none was answered since. */
    unanswered_at: text.optional,
    /** Time from which the page waits for a person; null after a note, and if nothing has to be done. */
    attention_at: text.optional,
    /** Note of the person who has seen to it. */
    note: text.optional,
    created_by: text,
    /** Time of the last inquiry with an answer. */
    checked_at: text.optional,
    ended_at: text.optional,
    ...dueColumns<RealTime>(),
    created_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'hosted_pages_by_invoice', columns: ['tenant_id', 'invoice_id', 'id'] },
      { name: 'hosted_pages_open', columns: ['tenant_id', 'invoice_id'], where: 'ended_at IS NULL', unique: true },
      { name: 'hosted_pages_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'hosted_pages_attention', columns: ['tenant_id', 'attention_at'], where: 'attention_at IS NOT NULL' },
    ],
  },
);

export type HostedPageRow = RowOf<typeof HOSTED_PAGES>;

/** Payments on pages that their invoices did not need. The key prevents that one is recorded twice. */
export const HOSTED_PAGE_OVERPAYMENTS = table(
  'hosted_page_overpayments',
  {
    tenant_id: text,
    hosted_page_id: text,
    /** The processor's reference of the payment. */
    reference: text,
    transaction_id: text,
  },
  { key: ['tenant_id', 'hosted_page_id', 'reference'] },
);
