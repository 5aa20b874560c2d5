import { lit, type Work } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import { createRenderCache } from '#core/platform/documents';
import { type ChangeEvents, type CommittedEvents, countObstacles } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import type { Language } from '#shared/languages';
import { getWithActions } from './actions.ts';
import { type BankTransfer, receiveTransfer, undoTransfer } from './bank-transfer.ts';
import { cancel, update } from './change.ts';
import { create, createLink } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { documentOf, documentOfPage, qrCode } from './documents.ts';
import { createHostedPages, HOSTED_PAGE_TABLES } from './hosted-pages/index.ts';
import type { VisitOrigin } from './input.ts';
import { createLateFees, LATE_FEE_TABLES } from './late-fees/index.ts';
import { overdueJob } from './overdue.ts';
import { openPage, pagePayment, payOnPage, quoteOnPage } from './page.ts';
import { chargeOnSchedule, pay } from './pay.ts';
import { balanceOf, extendDueDate, lockBalance, payAddress } from './plan.ts';
import { promised } from './promises.ts';
import { get, listTotals, overdue, page, summary } from './read.ts';
import { createReminders, REMINDER_TABLES } from './reminders/index.ts';
import { INVOICE_NUMBERS, INVOICE_PAYMENTS, INVOICE_VISITS, INVOICES, PAYMENT_GROUPS, SHORT_LINKS } from './schema.ts';
import { send } from './send.ts';
import { checkReturned, paymentConfirmed, paymentVoided, resumeLeftovers, settleJob } from './settle.ts';
import { resolveShort, shorten, textLink, textRequest } from './short-links.ts';
import { forgetGroups, type InvoicePayer, knownGroup, openInvoicesOf, openTotalsOf, paymentGroup, payTogether } from './together.ts';
import { deleteOldVisits, forgetVisits, recordVisit, visitsOf } from './visits.ts';

export type { InvoiceResult } from './dependencies.ts';
export { watchedPages } from './hosted-page-state/watched.ts';
export { HostedPage, InvoiceHostedPages } from './hosted-pages/index.ts';
export type { NewInvoice, PageInput, PayInput } from './input.ts';
export { CustomerLateFees, InvoiceLateFees, LateFeePreview } from './late-fees/index.ts';
export { type PaymentRules, type PayPage, paymentRulesOf } from './page.ts';
export { get as getInvoice, invoiceOfPayment } from './read.ts';
export { READABLE_INVOICE_NUMBERS, READABLE_INVOICE_PAYMENTS, READABLE_INVOICES, READABLE_LATE_FEES } from './read-model.ts';
export { Invoice, type InvoiceItem, InvoiceLink, type InvoicePayment, InvoicesSummary, type PagePayment, SentInvoice } from './records.ts';
export { InvoiceReminders, ReminderChoice, ReminderPreview } from './reminders/index.ts';
export { INVOICE_KINDS, INVOICE_STATUSES, PAYMENT_METHODS } from './schema.ts';
export { ASK_FOR_TIP, type TipChoice, tipOnAmount } from './tips.ts';
export { type InvoicePayer, type OpenInvoice, type OpenTotal, type PaymentGroup, TOGETHER_MAX } from './together.ts';
export type { PageVisit } from './visits.ts';

export const TABLES = [
  INVOICES,
  INVOICE_NUMBERS,
  INVOICE_PAYMENTS,
  INVOICE_VISITS,
  PAYMENT_GROUPS,
  SHORT_LINKS,
  ...REMINDER_TABLES,
  ...LATE_FEE_TABLES,
  ...HOSTED_PAGE_TABLES,
];

/** Invoices and payment links, with payments recorded by the merchant and made on the pay page. */
export type Invoicing = ReturnType<typeof createInvoicing>;

export function createInvoicing(deps: Dependencies) {
  deps.scheduler.register(overdueJob(deps));
  deps.scheduler.register(settleJob(deps));
  const reminders = createReminders(deps);
  const lateFees = createLateFees(deps);
  const hostedPages = createHostedPages(deps);
  const documentDeps = { ...deps, renderCache: createRenderCache() };
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [
      countObstacles(INVOICES, 'open_invoices', (invoice, nowMs) =>
        invoice.and([
          invoice('status', 'in', [lit('sent'), lit('partially_paid'), lit('overdue')]),
          invoice.or([invoice('expires_ms', 'is', null), invoice('expires_ms', '>', nowMs)]),
        ]),
      ),
    ],
    reminders,
    lateFees,
    hostedPages,
    ...bind(deps, { create, createLink, page, listTotals, get }),
    /** Same as `get()`, with what can be done with the invoice now. */
    getWithActions: (actor: Actor, id: string) => getWithActions(deps, actor, id),
    summary: (actor: Actor, merchantId?: string) => summary(deps, actor, merchantId),
    /** Returns the number and the sum of overdue invoices, as in the summary. */
    overdue: (actor: Actor, merchantId?: string) => overdue(deps, actor, merchantId),
    /** Returns unpaid invoices that were promised for today or earlier. */
    promised: (actor: Actor, merchantId?: string) => promised(deps, actor, merchantId),
    ...bind(deps, { update, cancel, send, pay, balanceOf }),
    lockBalance: (work: Work, id: string) => lockBalance(work, id),
    ...bind(deps, { extendDueDate, payAddress, chargeOnSchedule, qrCode }),
    /** Returns the invoice as a PDF for the caller. */
    pdf: (actor: Actor, id: string) => documentOf(documentDeps, actor, id),
    /** Same as `pdf()`, for a payer with the token of the page. */
    pdfOfPage: (token: string, language: Language) => documentOfPage(documentDeps, token, language),
    /** Same as `pdf()`, for the attachment of a message. */
    attachmentOf: (tenantId: string, id: string, language?: Language) =>
      documentOf(documentDeps, { tenantId, merchantId: null }, id, { language }),
    ...bind(deps, { shorten, textLink, textRequest, resolveShort, openPage, payOnPage, quoteOnPage, pagePayment }),
    /** Returns the unpaid invoices of a customer, those that are due first at the beginning. */
    openInvoicesOf: (payer: InvoicePayer) => openInvoicesOf(deps, payer),
    openTotalsOf: (payer: InvoicePayer, without: readonly string[]) => openTotalsOf(deps, payer, without),
    ...bind(deps, { payTogether, paymentGroup, knownGroup }),
    /** Keeps a visit of the pay page as evidence. An error is logged and does not disturb the payer. */
    visited: (tenantId: string, invoiceId: string, from: VisitOrigin) => recordVisit(deps, tenantId, invoiceId, from),
    /** Returns the kept visits of an invoice's page, oldest first. */
    visits: (tenantId: string, invoiceId: string) => visitsOf(deps, tenantId, invoiceId),
    /** Removes the visits of a deleted customer's invoices, and ends their reminders and late fees. */
    async customerDeleted(work: Work, deleted: ChangeEvents['customer.deleted']): Promise<void> {
      await forgetVisits(work, deleted.customerId);
      await forgetGroups(work, deleted.customerId);
      await reminders.customerDeleted(work, deleted);
      await lateFees.customerDeleted(work, deleted);
    },
    /** Step of the hourly clean-up for a tenant. */
    cleanUp: (tenantId: string) => deleteOldVisits(deps, tenantId),
    /** Removes a voided payment from its invoice, in the unit of work of the void. */
    paymentVoided: (work: Work, voided: ChangeEvents['payment.voided']) => paymentVoided(deps, work, voided),
    /** Removes the payment by a returned check from its invoice, in the unit of work of the return. */
    checkReturned: (work: Work, returned: ChangeEvents['check.returned']) => checkReturned(deps, work, returned),
    /** Records a payment by a bank transfer, in the unit of work that matches its bank line. Returns its tender. */
    receiveTransfer: (work: Work, actor: Actor, merchant: Merchant, transfer: BankTransfer) =>
      receiveTransfer(deps, work, actor, merchant, transfer),
    /** Takes it back, in the unit of work that undoes the match. */
    undoTransfer: (work: Work, actor: Actor, merchant: Merchant, payment: { readonly invoiceId: string; readonly tenderId: string }) =>
      undoTransfer(deps, work, actor, merchant, payment),
    /** Records the outcome of a payment that was unconfirmed. Most transactions belong to no invoice. */
    paymentConfirmed: ({ tenantId, transactionId }: CommittedEvents['payment.confirmed']) =>
      paymentConfirmed(deps, tenantId, transactionId),
    /** Checks the payments of a stopped process immediately. Called before the scheduler starts. */
    resumeUnfinished: () => resumeLeftovers(deps),
  };
}
