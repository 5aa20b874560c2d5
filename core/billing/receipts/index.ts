import type { Work } from '#core/database';
import { type Actor, bind, serviceActor } from '#core/kernel';
import { createRenderCache, type GeneratedFile } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import type { Language } from '#shared/languages';
import { type ReceiptSubject, receiptContent } from './content.ts';
import type { Dependencies } from './dependencies.ts';
import { openDrawer } from './drawer.ts';
import { receiptDocument } from './html.ts';
import { orderContent } from './order-content.ts';
import { orderSubjectOf } from './order-subject.ts';
import { contentPdf, receiptPdf } from './pdf.ts';
import { print } from './print.ts';
import { RECEIPT_PRINTS } from './schema.ts';
import { email, emailOnce, emailOrder, emailTender, text, textOrder } from './send.ts';
import { type ReceiptReference, subjectOf } from './subject.ts';
import { tenderContent } from './tender-content.ts';
import { type TenderReference, tenderSubjectOf } from './tender-subject.ts';

export { PRINTER_CODE_PAGES, type PrinterCodePage } from './code-pages.ts';
export { RECEIPT_COPIES } from './content.ts';
export { DRAWER_PINS, linesEscpos, sampleOf } from './escpos.ts';
export { COLUMNS_MAX, COLUMNS_MIN, RECEIPT_FORMATS } from './print.ts';
export { RECEIPT_WIDTHS } from './print-layout.ts';
export { OpenedDrawer, PrintedReceipt } from './records.ts';

export type { ReceiptLine } from './text.ts';

export const TABLES = [RECEIPT_PRINTS];

/** Returns a receipt's data with the merchant in another language. */
const inLanguage = <Subject extends { readonly merchant: Merchant }>(subject: Subject, language?: Language): Subject =>
  language === undefined ? subject : { ...subject, merchant: { ...subject.merchant, language } };

export type Receipts = ReturnType<typeof createReceipts>;

/** Receipts of payments and refunds, on paper and by message. */
export function createReceipts(deps: Dependencies) {
  const subjectFor = (tenantId: string, reference: ReceiptReference) => subjectOf(deps, serviceActor(tenantId), reference);
  const renderCache = createRenderCache();
  const pdfOfTender = async (actor: Actor, reference: TenderReference, language?: Language) => {
    const subject = inLanguage(await tenderSubjectOf(deps, actor, reference), language);
    return renderCache(subject, () => contentPdf(tenderContent(subject), reference.refundId ?? reference.tenderId, subject.merchant));
  };
  const pdfOfOrder = async (actor: Actor, orderId: string, language?: Language) => {
    const subject = inLanguage(await orderSubjectOf(deps, actor, orderId), language);
    return renderCache(subject, () => contentPdf(orderContent(subject), subject.order.number, subject.merchant));
  };
  const pdfOfSubject = (found: ReceiptSubject, language?: Language) => {
    const subject = inLanguage(found, language);
    return renderCache(subject, () => receiptPdf(subject));
  };
  return {
    ...bind(deps, { print, openDrawer, email, emailTender, emailOrder, textOrder, text }),
    tenderPdf: (actor: Actor, reference: TenderReference) => pdfOfTender(actor, reference),
    orderPdf: (actor: Actor, orderId: string) => pdfOfOrder(actor, orderId),
    /** Same as `email()`, in the name of Paydesk, and only if `claim` returns true in the unit of work of the message. */
    emailOnce: (tenantId: string, input: ReceiptReference & { readonly email: string }, claim: (work: Work) => Promise<boolean>) =>
      emailOnce(deps, serviceActor(tenantId), input, claim),
    /** Returns the customer's receipt as a PDF of one letter page, or more pages if it is long. */
    pdf: async (actor: Actor, transactionId: string, refundId?: string) =>
      pdfOfSubject(await subjectOf(deps, actor, { transactionId, refundId })),
    /** Same as `pdf()`, for a payer whom the pay page has authorized. */
    pdfFor: async (tenantId: string, transactionId: string, language?: Language) =>
      pdfOfSubject(await subjectFor(tenantId, { transactionId }), language),
    /** Returns the customer's receipt as a complete HTML document. */
    htmlFor: async (tenantId: string, transactionId: string) =>
      receiptDocument(receiptContent(await subjectFor(tenantId, { transactionId })), 'letter'),
    /** Returns the receipt for a message or a page in a language, by default that of the merchant, by the ID of its transaction, order, tender or refund. */
    async pdfOf(tenantId: string, id: string, language?: Language): Promise<GeneratedFile> {
      const file = (pdf: Buffer): GeneratedFile => ({ filename: `${id}.pdf`, contentType: 'application/pdf', content: pdf });
      if (id.startsWith('ord_')) return file(await pdfOfOrder(serviceActor(tenantId), id, language));
      const tenderRefund = id.startsWith('trf_') ? await deps.tenders.findRefund(tenantId, id) : null;
      const tenderId = tenderRefund?.tenderId ?? (id.startsWith('tnd_') ? id : null);
      if (tenderId !== null)
        return file(await pdfOfTender(serviceActor(tenantId), { tenderId, ...(tenderRefund === null ? {} : { refundId: id }) }, language));
      const refund = id.startsWith('ref_') ? await deps.payments.getRefund(serviceActor(tenantId), id) : null;
      const transactionId = refund?.transactionId ?? id;
      return file(await pdfOfSubject(await subjectFor(tenantId, { transactionId, refundId: refund?.refundId }), language));
    },
  };
}
