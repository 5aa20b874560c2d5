import { lit, type Work } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import { createRenderCache } from '#core/platform/documents';
import { type ChangeEvents, countObstacles } from '#core/processing/domain-events';
import type { Language } from '#shared/languages';
import { getWithActions } from './actions.ts';
import { receiveTransfer, undoTransfer } from './bank-transfer.ts';
import { cancel, update } from './change.ts';
import { create, createLink } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { documentOf, documentOfPage, qrCode } from './documents.ts';
import { createHostedPages, HOSTED_PAGE_TABLES } from './hosted-pages/index.ts';
import { createLateFees, LATE_FEE_TABLES } from './late-fees/index.ts';
import { overdueJob } from './overdue.ts';
import { openPage, pagePayment, payOnPage, quoteOnPage } from './page.ts';
import { chargeOnSchedule, pay } from './pay.ts';
import { balanceOf, extendDueDate, lockBalance, payAddress } from './plan.ts';
import { promised } from './promises.ts';
import { get, listTotals, overdue, page, summary } from './read.ts';
import { createReminders, REMINDER_TABLES } from './reminders/index.ts';
import { INVOICE_NUMBERS, INVOICE_PAYMENTS, INVOICE_VISITS, INVOICES, PAYER_NAMES, PAYMENT_GROUPS, SHORT_LINKS } from './schema.ts';
import { send } from './send.ts';
import { checkReturned, paymentConfirmed, paymentVoided, resumeLeftovers, settleJob } from './settle.ts';
import { resolveShort, shorten, textLink, textRequest } from './short-links.ts';
import { forgetGroups, knownGroup, openInvoicesOf, openTotalsOf, paymentGroup, payTogether } from './together.ts';
import { deleteOldVisits, forgetVisits, recordVisit, visitsOf } from './visits.ts';

export type { InvoiceResult } from './dependencies.ts';
export { watchedPages } from './hosted-page-state/watched.ts';
export { HostedPage, InvoiceHostedPages } from './hosted-pages/index.ts';
export type { NewInvoice, PageInput, PayInput } from './input.ts';
export { CustomerLateFees, InvoiceLateFees, LateFeePreview } from './late-fees/index.ts';
export { type PaymentRules, type PayPage, paymentRulesOf } from './page.ts';
export { NAME_MIN, nameStart, writtenNames } from './payer-names.ts';
export { get as getInvoice, invoiceOfPayment } from './read.ts';
export {
  READABLE_INVOICE_NUMBERS,
  READABLE_INVOICE_PAYMENTS,
  READABLE_INVOICES,
  READABLE_LATE_FEES,
  READABLE_PAYER_NAMES,
} from './read-model.ts';
export { Invoice, type InvoiceItem, InvoiceLink, type InvoicePayment, InvoicesSummary, type PagePayment, SentInvoice } from './records.ts';
export { InvoiceReminders, ReminderChoice, ReminderPreview } from './reminders/index.ts';
export { numberOf as invoiceNumber } from './repository.ts';
export { INVOICE_KINDS, INVOICE_STATUSES, PAYMENT_METHODS } from './schema.ts';
export { ASK_FOR_TIP, type TipChoice, tipOnAmount } from './tips.ts';
export { type InvoicePayer, type OpenInvoice, type OpenTotal, type PaymentGroup, TOGETHER_MAX } from './together.ts';
export type { PageVisit } from './visits.ts';

export const TABLES = [
  INVOICES,
  INVOICE_NUMBERS,
  INVOICE_PAYMENTS,
  INVOICE_VISITS,
  PAYER_NAMES,
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
    ...bind(deps, { create, createLink, page, listTotals, get, getWithActions, summary, overdue, promised }),
    ...bind(deps, { update, cancel, send, pay, balanceOf, extendDueDate, payAddress, chargeOnSchedule, qrCode }),
    lockBalance,
    /** Returns the invoice as a PDF for the caller. */
    pdf: (actor: Actor, id: string) => documentOf(documentDeps, actor, id),
    /** Same as `pdf()`, for a payer with the token of the page. */
    pdfOfPage: (token: string, language: Language) => documentOfPage(documentDeps, token, language),
    /** Same as `pdf()`, for the attachment of a message. */
    attachmentOf: (tenantId: string, id: string, language?: Language) =>
      documentOf(documentDeps, { tenantId, merchantId: null }, id, { language }),
    ...bind(deps, { shorten, textLink, textRequest, resolveShort, openPage, payOnPage, quoteOnPage, pagePayment }),
    ...bind(deps, { openInvoicesOf, openTotalsOf, payTogether, paymentGroup, knownGroup, visited: recordVisit, visits: visitsOf }),
    /** Removes the visits of a deleted customer's invoices and the names by which bank lines find them, and ends their reminders and late fees. */
    async customerDeleted(work: Work, deleted: ChangeEvents['customer.deleted']): Promise<void> {
      await forgetVisits(work, deleted.customerId);
      await forgetGroups(work, deleted.customerId);
      await reminders.customerDeleted(work, deleted);
      await lateFees.customerDeleted(work, deleted);
      // Last: an invoice that is becoming unpaid stores the name before the changes above can lock it.
      await work.delete(PAYER_NAMES, { customer_id: deleted.customerId });
    },
    ...bind(deps, { cleanUp: deleteOldVisits, paymentVoided, checkReturned, receiveTransfer, undoTransfer }),
    ...bind(deps, { paymentConfirmed, resumeUnfinished: resumeLeftovers }),
  };
}
