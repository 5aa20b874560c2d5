import type { Work } from '#core/database';
import { type Actor, serviceActor } from '#core/kernel';
import { createLastDrawn } from '#core/platform/documents';
import { type ReceiptSubject, receiptContent } from './content.ts';
import { type DrawerInput, openDrawer } from './drawer.ts';
import { receiptDocument } from './html.ts';
import type { Needs } from './needs.ts';
import { receiptPdf } from './pdf.ts';
import { type PrintInput, print } from './print.ts';
import { RECEIPT_PRINTS } from './schema.ts';
import { email, emailOnce, text } from './send.ts';
import { type ReceiptOf, subjectOf } from './subject.ts';

export { RECEIPT_COPIES } from './content.ts';

export { DRAWER_PINS, linesEscpos, sampleOf } from './escpos.ts';
export { RECEIPT_WIDTHS } from './paper.ts';
export { COLUMNS_MAX, COLUMNS_MIN, RECEIPT_FORMATS } from './print.ts';
export { PRINTER_CODE_PAGES, type PrinterCodePage } from './spelling.ts';

export type { ReceiptLine } from './text.ts';

export const TABLES = [RECEIPT_PRINTS];

/** A document to send along. */
export interface ReceiptFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Receipts of payments and refunds, on paper and by message (specification 4.12; experience 1.3, 2.4). */
export function createReceipts(on: Needs) {
  const shown = (tenantId: string, of: ReceiptOf) => subjectOf(on, serviceActor(tenantId), of);
  const lastDrawn = createLastDrawn();
  const pdfOfSubject = (subject: ReceiptSubject) => lastDrawn(subject, () => receiptPdf(subject));
  return {
    /** A receipt for a printer. The second print of a copy, on whichever station, is marked DUPLICATE. */
    print: (by: Actor, input: PrintInput) => print(on, by, input),
    /** What opens a cash drawer without a payment; written into the audit log. */
    openDrawer: (by: Actor, input: DrawerInput) => openDrawer(on, by, input),
    email: (by: Actor, input: ReceiptOf & { readonly email?: string }) => email(on, by, input),
    /** As email(), in the product's own name, and only where `claim` says in the unit of work of the message that nobody else has written it. */
    emailOnce: (tenantId: string, input: ReceiptOf & { readonly email: string }, claim: (work: Work) => Promise<boolean>) =>
      emailOnce(on, serviceActor(tenantId), input, claim),
    text: (by: Actor, input: { readonly transactionId: string; readonly phone: string }) => text(on, by, input),
    /** The customer's receipt as a PDF on one letter page, or on more where it is long. */
    pdf: async (by: Actor, transactionId: string, refundId?: string) => pdfOfSubject(await subjectOf(on, by, { transactionId, refundId })),
    /** The same for a payer, who was let in by the page. */
    pdfFor: async (tenantId: string, transactionId: string) => pdfOfSubject(await shown(tenantId, { transactionId })),
    /** The customer's receipt as a whole HTML document. */
    htmlFor: async (tenantId: string, transactionId: string) =>
      receiptDocument(receiptContent(await shown(tenantId, { transactionId })), 'letter'),
    /** The receipt that a message carries, by the id of its transaction or refund. */
    async pdfOf(tenantId: string, id: string): Promise<ReceiptFile> {
      const refund = id.startsWith('ref_') ? await on.payments.getRefund(serviceActor(tenantId), id) : null;
      const transactionId = refund?.transactionId ?? id;
      const content = await pdfOfSubject(await shown(tenantId, { transactionId, refundId: refund?.refundId }));
      return { filename: `${id}.pdf`, contentType: 'application/pdf', content };
    },
  };
}
