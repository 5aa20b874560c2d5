import { type Actor, ServiceError } from '#core/kernel';
import { type ReceiptContent, type ReceiptCopy, receiptContent } from './content.ts';
import { type DrawerPin, type PrinterTraits, receiptEscpos, USUAL_PRINTER } from './escpos.ts';
import { type HandedOverSubject, handedOverContent } from './handed-over.ts';
import { receiptDocument } from './html.ts';
import type { Needs } from './needs.ts';
import { PAPER, type ReceiptWidth } from './paper.ts';
import { countPrint, printsOf } from './repository.ts';
import { type ReceiptOf, subjectId, subjectOf } from './subject.ts';
import { receiptText } from './text.ts';

export const RECEIPT_FORMATS = ['html', 'text', 'escpos'] as const;
export type ReceiptFormat = (typeof RECEIPT_FORMATS)[number];

/** Fewer make no receipt, more no printer of the family has. */
export const COLUMNS_MIN = 24;
export const COLUMNS_MAX = 48;

export interface PrintInput extends Partial<PrinterTraits> {
  readonly transactionId?: string;
  /** A refund of the transaction: its receipt instead of the payment's. */
  readonly refundId?: string;
  /** Instead of a transaction: a payment that was recorded on an invoice, such as cash. */
  readonly paymentId?: string;
  readonly format?: ReceiptFormat;
  /** The merchant's own paper unless given. */
  readonly width?: ReceiptWidth;
  /** What the printer has on a line; the paper's usual number unless given. */
  readonly columns?: number;
  /** Opens the drawer on this pin with the first print of a receipt of cash. */
  readonly drawerPin?: DrawerPin;
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

/** A receipt whose mark is not known yet. */
interface Unmarked {
  /** What its prints are counted by. */
  readonly id: string;
  readonly usualWidth: ReceiptWidth;
  readonly isCash: boolean;
  readonly content: (isDuplicate: boolean) => ReceiptContent;
}

/**
 * Makes a receipt for a printer (specification 4.12), and counts it unless it is a preview. TRANSACTION_NOT_FOUND, NOT_FOUND, MERCHANT_NOT_AUTHORIZED;
 * VALIDATION_ERROR where a drawer is asked for with anything but cash.
 */
export async function print(on: Needs, by: Actor, input: PrintInput): Promise<PrintedReceipt> {
  const { copy = 'customer', preview = false, drawerPin } = input;
  const receipt = await receiptOf(on, by, input, copy);
  if (drawerPin !== undefined) checkDrawer(by, receipt);
  const { id } = receipt;
  const earlier = preview
    ? await printsOf(on.database.read(by.tenantId), id, copy)
    : (await on.database.unitOfWork.run(by.tenantId, (work) => countPrint(work, id, copy))) - 1;
  const isDuplicate = earlier > 0;
  const width = input.width ?? receipt.usualWidth;
  return { ...rendered(receipt.content(isDuplicate), input, width, isDuplicate), copy, width, isDuplicate };
}

async function receiptOf(on: Needs, by: Actor, { paymentId, transactionId, refundId }: PrintInput, copy: ReceiptCopy): Promise<Unmarked> {
  if (paymentId === undefined) return ofTransaction(on, by, { transactionId: transactionId ?? '', refundId }, copy);
  const invoice = await on.invoiceOfPayment(by, paymentId);
  const payment = invoice.payments.find((one) => one.paymentId === paymentId);
  if (!payment) throw new ServiceError('NOT_FOUND', 'There is no such payment.', { details: { paymentId } });
  // What a processor took has a receipt of its own.
  if (payment.transactionId !== null) return ofTransaction(on, by, { transactionId: payment.transactionId }, copy);
  const merchant = await on.merchantFor(by, invoice.merchantId);
  const isSandbox = on.environmentOf(by.tenantId) === 'sandbox';
  const subject: HandedOverSubject = { invoice, payment, merchant, copy, isSandbox, isDuplicate: false };
  return {
    id: paymentId,
    usualWidth: merchant.vtSettings.receiptWidth,
    isCash: payment.method === 'cash',
    content: (isDuplicate) => handedOverContent({ ...subject, isDuplicate }),
  };
}

async function ofTransaction(on: Needs, by: Actor, of: ReceiptOf, copy: ReceiptCopy): Promise<Unmarked> {
  const subject = await subjectOf(on, by, of, copy);
  return {
    id: subjectId(subject),
    usualWidth: subject.merchant.vtSettings.receiptWidth,
    isCash: false,
    content: (isDuplicate) => receiptContent({ ...subject, isDuplicate }),
  };
}

/** Who may take cash may open the drawer for it. */
function checkDrawer(by: Actor, { isCash }: Unmarked): void {
  if (!isCash) throw new ServiceError('VALIDATION_ERROR', 'The drawer opens for cash alone.', { field: 'drawerPin' });
  if (!by.permissions.has('invoices:write'))
    throw new ServiceError('PERMISSION_DENIED', 'You may not open the drawer.', { field: 'drawerPin' });
}

function rendered(
  content: ReceiptContent,
  { format = 'html', columns: own, codePage, cuts, drawerPin }: PrintInput,
  width: ReceiptWidth,
  isDuplicate: boolean,
): Pick<PrintedReceipt, 'content' | 'contentType'> {
  const columns = own ?? PAPER[width].columns;
  switch (format) {
    case 'html':
      return { content: receiptDocument(content, width), contentType: 'text/html; charset=utf-8' };
    case 'text':
      return { content: receiptText(content, columns), contentType: 'text/plain; charset=utf-8' };
    case 'escpos': {
      const traits = { codePage: codePage ?? USUAL_PRINTER.codePage, cuts: cuts ?? USUAL_PRINTER.cuts };
      // The money is in the drawer already when a receipt is printed again.
      const bytes = receiptEscpos(content, columns, { ...traits, drawerPin: isDuplicate ? null : (drawerPin ?? null) });
      return { content: bytes.toString('base64'), contentType: 'application/vnd.escpos' };
    }
  }
}
