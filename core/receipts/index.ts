import type { Work } from '#core/database';
import { type Actor, serviceActor } from '#core/kernel';
import { createRenderCache } from '#core/platform/documents';
import { type ReceiptSubject, receiptContent } from './content.ts';
import type { Dependencies } from './dependencies.ts';
import { type DrawerInput, openDrawer } from './drawer.ts';
import { receiptDocument } from './html.ts';
import { receiptPdf } from './pdf.ts';
import { type PrintInput, print } from './print.ts';
import { RECEIPT_PRINTS } from './schema.ts';
import { email, emailOnce, text } from './send.ts';
import { type ReceiptOf, subjectOf } from './subject.ts';

export { PRINTER_CODE_PAGES, type PrinterCodePage } from './code-pages.ts';
export { RECEIPT_COPIES } from './content.ts';
export { DRAWER_PINS, linesEscpos, sampleOf } from './escpos.ts';
export { COLUMNS_MAX, COLUMNS_MIN, RECEIPT_FORMATS } from './print.ts';
export { RECEIPT_WIDTHS } from './print-layout.ts';

export type { ReceiptLine } from './text.ts';

export const TABLES = [RECEIPT_PRINTS];

/** A document to send along. */
export interface ReceiptFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Receipts of payments and refunds, on paper and by message (specification 4.12; experience 1.3, 2.4). */
export function createReceipts(deps: Dependencies) {
  const shown = (tenantId: string, of: ReceiptOf) => subjectOf(deps, serviceActor(tenantId), of);
  const lastDrawn = createRenderCache();
  const pdfOfSubject = (subject: ReceiptSubject) => lastDrawn(subject, () => receiptPdf(subject));
  return {
    /** A receipt for a printer. The second print of a copy, on whichever station, is marked DUPLICATE. */
    print: (actor: Actor, input: PrintInput) => print(deps, actor, input),
    /** Returns the command that opens a cash drawer without a payment, and writes it to the audit log. */
    openDrawer: (actor: Actor, input: DrawerInput) => openDrawer(deps, actor, input),
    email: (actor: Actor, input: ReceiptOf & { readonly email?: string }) => email(deps, actor, input),
    /** Same as `email()`, in the name of Paydesk, and only if `claim` returns true in the unit of work of the message. */
    emailOnce: (tenantId: string, input: ReceiptOf & { readonly email: string }, claim: (work: Work) => Promise<boolean>) =>
      emailOnce(deps, serviceActor(tenantId), input, claim),
    text: (actor: Actor, input: { readonly transactionId: string; readonly phone: string }) => text(deps, actor, input),
    /** The customer's receipt as a PDF on one letter page, or on more where it is long. */
    pdf: async (actor: Actor, transactionId: string, refundId?: string) =>
      pdfOfSubject(await subjectOf(deps, actor, { transactionId, refundId })),
    /** Same for a payer whom the page has authorized. */
    pdfFor: async (tenantId: string, transactionId: string) => pdfOfSubject(await shown(tenantId, { transactionId })),
    /** The customer's receipt as a whole HTML document. */
    htmlFor: async (tenantId: string, transactionId: string) =>
      receiptDocument(receiptContent(await shown(tenantId, { transactionId })), 'letter'),
    /** The receipt that a message carries, by the id of its transaction or refund. */
    async pdfOf(tenantId: string, id: string): Promise<ReceiptFile> {
      const refund = id.startsWith('ref_') ? await deps.payments.getRefund(serviceActor(tenantId), id) : null;
      const transactionId = refund?.transactionId ?? id;
      const content = await pdfOfSubject(await shown(tenantId, { transactionId, refundId: refund?.refundId }));
      return { filename: `${id}.pdf`, contentType: 'application/pdf', content };
    },
  };
}
