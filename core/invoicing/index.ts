import type { PageOf, Work } from '#core/database';
import type { ChangeEvents, CommittedEvents } from '#core/domain-events';
import type { Actor } from '#core/kernel';
import { createLastDrawn } from '#core/platform/documents';
import { cancel, update } from './change.ts';
import { create, createLink } from './create.ts';
import type { InvoiceChange, InvoiceFilter, NewInvoice, NewLink, PageInput, PayInput, SendInput } from './input.ts';
import type { Needs } from './needs.ts';
import { overdueJob } from './overdue.ts';
import { openPage, pagePayment, payOnPage } from './page.ts';
import { documentOf, documentOfPage, qrCode } from './paper.ts';
import { pay } from './pay.ts';
import { get, page, summary } from './read.ts';
import { INVOICE_NUMBERS, INVOICE_PAYMENTS, INVOICES, SHORT_LINKS } from './schema.ts';
import { send } from './send.ts';
import { paymentConfirmed, paymentVoided, settleJob, takeOver } from './settle.ts';
import { resolveShort, shorten, textLink, textRequest } from './short-links.ts';

export type { PageInput, PayInput } from './input.ts';
export type { Invoice, InvoicePayment, PagePayment } from './invoice.ts';
export type { InvoiceItem } from './items.ts';
export type { Ending, PaidInvoice } from './needs.ts';
export type { PayPage } from './page.ts';

export type { InvoicesSummary } from './read.ts';
export { get as getInvoice, ofPayment as invoiceOfPayment } from './read.ts';

export const TABLES = [INVOICES, INVOICE_NUMBERS, INVOICE_PAYMENTS, SHORT_LINKS];

/** Invoices, payment links and what is paid on them, at the desk and on the hosted page (specification 2.6, 3.4, 4.10; decisions 7, 11). */
export function createInvoicing(on: Needs) {
  on.scheduler.register(overdueJob(on));
  on.scheduler.register(settleJob(on));
  const paper = { ...on, lastDrawn: createLastDrawn() };
  return {
    create: (by: Actor, input: NewInvoice) => create(on, by, input),
    createLink: (by: Actor, input: NewLink) => createLink(on, by, input),
    page: (by: Actor, filter: InvoiceFilter, at: PageOf) => page(on, by, filter, at),
    get: (by: Actor, id: string) => get(on, by, id),
    summary: (by: Actor, merchantId?: string) => summary(on, by, merchantId),
    update: (by: Actor, id: string, input: InvoiceChange) => update(on, by, id, input),
    cancel: (by: Actor, id: string, reason?: string) => cancel(on, by, id, reason),
    send: (by: Actor, id: string, input: SendInput) => send(on, by, id, input),
    pay: (by: Actor, id: string, input: PayInput) => pay(on, by, id, input),
    qrCode: (by: Actor, id: string) => qrCode(on, by, id),
    /** The invoice as a PDF, for the caller. */
    pdf: (by: Actor, id: string) => documentOf(paper, by, id),
    /** The same for whoever has the page. */
    pdfOfPage: (token: string) => documentOfPage(paper, token),
    /** The same as it goes with a message. */
    attachmentOf: (tenantId: string, id: string) => documentOf(paper, { tenantId, merchantId: null }, id),
    shorten: (by: Actor, url: string) => shorten(on, by, url),
    textLink: (by: Actor, input: { readonly url: string; readonly phone: string }) => textLink(on, by, input),
    textRequest: (by: Actor, input: { readonly url: string; readonly phone: string }) => textRequest(on, by, input),
    resolveShort: (code: string) => resolveShort(on, code),
    openPage: (token: string) => openPage(on, token),
    payOnPage: (token: string, input: PageInput, from: { readonly ip: string | null; readonly requestId: string }) =>
      payOnPage(on, token, input, from),
    pagePayment: (token: string, paymentId: string) => pagePayment(on, token, paymentId),
    /** Takes a payment that was voided off its invoice, in the unit of work of the void. */
    paymentVoided: (work: Work, voided: ChangeEvents['payment.voided']) => paymentVoided(on, work, voided),
    /** Settles the payment whose outcome was found out; most transactions are no invoice's. */
    paymentConfirmed: ({ tenantId, transactionId }: CommittedEvents['payment.confirmed']) => paymentConfirmed(on, tenantId, transactionId),
    /** Has the payments of a process that is gone looked at at once; called before the scheduler starts. */
    takeOver: () => takeOver(on),
  };
}
