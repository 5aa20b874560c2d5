import type { Work } from '#core/database';
import { createLastDrawn } from '#core/documents';
import { type Actor, serviceActor } from '#core/kernel';
import { type ReceiptCopy, type ReceiptSubject, receiptContent } from './content.ts';
import { receiptEscpos } from './escpos.ts';
import { receiptDocument } from './html.ts';
import type { Needs } from './needs.ts';
import { PAPER, type ReceiptWidth } from './paper.ts';
import { receiptPdf } from './pdf.ts';
import { countPrint, printsOf } from './repository.ts';
import { RECEIPT_PRINTS } from './schema.ts';
import { email, emailOnce, text } from './send.ts';
import { type ReceiptOf, subjectId, subjectOf } from './subject.ts';
import { receiptText } from './text.ts';

export { RECEIPT_COPIES, type ReceiptCopy } from './content.ts';
export { RECEIPT_WIDTHS, type ReceiptWidth } from './paper.ts';
export type { ReceiptOf } from './subject.ts';

export const TABLES = [RECEIPT_PRINTS];

export const RECEIPT_FORMATS = ['html', 'text', 'escpos'] as const;
export type ReceiptFormat = (typeof RECEIPT_FORMATS)[number];

export interface PrintInput extends ReceiptOf {
  readonly format?: ReceiptFormat;
  /** The merchant's own paper unless given. */
  readonly width?: ReceiptWidth;
  readonly copy?: ReceiptCopy;
  /** Only looked at: not counted as a print. */
  readonly preview?: boolean;
}

export interface PrintedReceipt {
  /** Base64 where it is ESC/POS. */
  readonly content: string;
  readonly contentType: string;
  readonly copy: ReceiptCopy;
  readonly width: ReceiptWidth;
  readonly isDuplicate: boolean;
}

/** A document to send along. */
export interface ReceiptFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Receipts of payments and refunds, on paper and by message (specification 4.12; experience 1.3, 2.4). */
export type Receipts = ReturnType<typeof createReceipts>;

export function createReceipts(on: Needs) {
  const shown = (tenantId: string, of: ReceiptOf) => subjectOf(on, serviceActor(tenantId), of);
  const lastDrawn = createLastDrawn();
  const pdfOfSubject = (subject: ReceiptSubject) => lastDrawn(subject, () => receiptPdf(subject));
  return {
    /** A receipt for a printer. The second print of a copy, on whichever station, is marked DUPLICATE. */
    async print(by: Actor, input: PrintInput): Promise<PrintedReceipt> {
      const { format = 'html', copy = 'customer', preview = false } = input;
      const subject = await subjectOf(on, by, input, copy);
      const width = input.width ?? subject.merchant.vtSettings.receiptWidth;
      const id = subjectId(subject);
      const earlier = preview
        ? await printsOf(on.database.read(by.tenantId), id, copy)
        : (await on.database.unitOfWork.run(by.tenantId, (work) => countPrint(work, id, copy))) - 1;
      const isDuplicate = earlier > 0;
      return { ...rendered({ ...subject, isDuplicate }, format, width), copy, width, isDuplicate };
    },
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

function rendered(subject: ReceiptSubject, format: ReceiptFormat, width: ReceiptWidth): Pick<PrintedReceipt, 'content' | 'contentType'> {
  const content = receiptContent(subject);
  const { columns } = PAPER[width];
  switch (format) {
    case 'html':
      return { content: receiptDocument(content, width), contentType: 'text/html; charset=utf-8' };
    case 'text':
      return { content: receiptText(content, columns), contentType: 'text/plain; charset=utf-8' };
    case 'escpos':
      return { content: receiptEscpos(content, columns).toString('base64'), contentType: 'application/vnd.escpos' };
  }
}
