import { type Actor, ServiceError } from '#core/kernel';
import { type ReceiptContent, type ReceiptCopy, receiptContent } from './content.ts';
import type { Dependencies } from './dependencies.ts';
import { DEFAULT_PRINTER, type DrawerPin, type PrinterTraits, receiptEscpos } from './escpos.ts';
import { receiptDocument } from './html.ts';
import { orderContent } from './order-content.ts';
import { orderSubjectOf } from './order-subject.ts';
import { PAPER, type ReceiptWidth } from './print-layout.ts';
import type { PrintedReceipt } from './records.ts';
import { countPrint, printsOf } from './repository.ts';
import { shiftContent } from './shift-content.ts';
import { type ReceiptReference, subjectId, subjectOf } from './subject.ts';
import { type TenderSubject, tenderContent } from './tender-content.ts';
import { invoiceTenderSubject, type TenderReference, tenderSubjectOf } from './tender-subject.ts';
import { receiptText } from './text.ts';

export const RECEIPT_FORMATS = ['html', 'text', 'escpos'] as const;
type ReceiptFormat = (typeof RECEIPT_FORMATS)[number];

/** Limits of the characters per line: fewer do not fit a receipt, and no ESC/POS printer has more. */
export const COLUMNS_MIN = 24;
export const COLUMNS_MAX = 48;

export interface PrintInput extends Partial<PrinterTraits> {
  readonly transactionId?: string;
  /** Refund of the transaction or tender, whose receipt is printed instead of the payment's. */
  readonly refundId?: string;
  /** Payment recorded on an invoice, such as cash, instead of a transaction. */
  readonly paymentId?: string;
  /** Cash, check or other tender, instead of a transaction. */
  readonly tenderId?: string;
  /** Order whose one receipt lists all payments, instead of a transaction. */
  readonly orderId?: string;
  /** Shift whose X or Z report is printed, instead of a transaction. */
  readonly shiftId?: string;
  readonly format?: ReceiptFormat;
  /** Paper width; default is that of the merchant's settings. */
  readonly width?: ReceiptWidth;
  /** Characters per line; by default those of the paper width. */
  readonly columns?: number;
  /** Pin of the drawer to open with the first print of a cash receipt. */
  readonly drawerPin?: DrawerPin;
  readonly copy?: ReceiptCopy;
  /** True for a preview, which does not count as a print. */
  readonly preview?: boolean;
}

/** A receipt before it is known whether it is a duplicate. */
interface Unmarked {
  /** Key under which its prints are counted; null if they are not. */
  readonly id: string | null;
  readonly usualWidth: ReceiptWidth;
  readonly isCash: boolean;
  readonly content: (isDuplicate: boolean) => ReceiptContent;
}

/**
 * Creates a receipt for a printer and counts it unless it is a preview. @throws ServiceError TRANSACTION_NOT_FOUND,
 * NOT_FOUND, MERCHANT_NOT_AUTHORIZED; VALIDATION_ERROR if the drawer is requested for anything but cash.
 */
export async function print(deps: Dependencies, actor: Actor, input: PrintInput): Promise<PrintedReceipt> {
  const { copy = 'customer', preview = false, drawerPin } = input;
  const receipt = await receiptOf(deps, actor, input, copy);
  if (drawerPin !== undefined) checkDrawer(actor, receipt);
  const { id } = receipt;
  const isDuplicate = id !== null && (await printsBefore(deps, actor, id, copy, preview)) > 0;
  const width = input.width ?? receipt.usualWidth;
  return { ...rendered(receipt.content(isDuplicate), input, width, isDuplicate), copy, width, isDuplicate };
}

/** Returns the number of earlier prints, and counts this one unless it is a preview. */
async function printsBefore(deps: Dependencies, actor: Actor, id: string, copy: ReceiptCopy, isPreview: boolean): Promise<number> {
  if (isPreview) return printsOf(deps.database.read(actor.tenantId), id, copy);
  return (await deps.database.unitOfWork.transaction(actor.tenantId, (work) => countPrint(work, id, copy))) - 1;
}

async function receiptOf(
  deps: Dependencies,
  actor: Actor,
  { paymentId, tenderId, orderId, shiftId, transactionId, refundId }: PrintInput,
  copy: ReceiptCopy,
): Promise<Unmarked> {
  if (shiftId !== undefined) return ofShift(deps, actor, shiftId);
  if (orderId !== undefined) return ofOrder(deps, actor, orderId, copy);
  if (tenderId !== undefined) return ofTender(deps, actor, { tenderId, ...(refundId === undefined ? {} : { refundId }) }, copy);
  if (paymentId === undefined) return ofTransaction(deps, actor, { transactionId: transactionId ?? '', refundId }, copy);
  const invoice = await deps.invoiceOfPayment(actor, paymentId);
  const payment = invoice.payments.find((one) => one.paymentId === paymentId);
  if (!payment) throw new ServiceError('NOT_FOUND', 'This payment does not exist.', { details: { paymentId } });
  // A payment through a processor has the receipt of its transaction.
  if (payment.transactionId !== null) return ofTransaction(deps, actor, { transactionId: payment.transactionId }, copy);
  return tenderReceipt(paymentId, await invoiceTenderSubject(deps, actor, { invoice, payment }, copy));
}

async function ofTender(deps: Dependencies, actor: Actor, reference: TenderReference, copy: ReceiptCopy): Promise<Unmarked> {
  return tenderReceipt(reference.refundId ?? reference.tenderId, await tenderSubjectOf(deps, actor, reference, copy));
}

const tenderReceipt = (id: string, subject: TenderSubject): Unmarked => ({
  id,
  usualWidth: subject.merchant.vtSettings.receiptWidth,
  isCash: subject.tender.kind === 'cash',
  content: (isDuplicate) => tenderContent({ ...subject, isDuplicate }),
});

/** Returns the report of a shift. X reports change from print to print, so only Z reports are duplicates. */
async function ofShift(deps: Dependencies, actor: Actor, shiftId: string): Promise<Unmarked> {
  if (!actor.permissions.has('shifts:read'))
    throw new ServiceError('PERMISSION_DENIED', 'This requires the permission `shifts:read`.', { details: { permission: 'shifts:read' } });
  const report = await deps.shifts.report(actor, shiftId);
  const merchant = await deps.merchantFor(actor, report.merchantId);
  const isSandbox = deps.environmentOf(actor.tenantId) === 'sandbox';
  const anchor = report.kind === 'z' ? await deps.lastAuditEntry(actor.tenantId) : null;
  return {
    id: report.kind === 'z' ? shiftId : null,
    usualWidth: merchant.vtSettings.receiptWidth,
    isCash: false,
    content: (isDuplicate) => shiftContent({ report, merchant, isSandbox, isDuplicate, anchor }),
  };
}

async function ofOrder(deps: Dependencies, actor: Actor, orderId: string, copy: ReceiptCopy): Promise<Unmarked> {
  const subject = await orderSubjectOf(deps, actor, orderId, copy);
  return {
    id: orderId,
    usualWidth: subject.merchant.vtSettings.receiptWidth,
    isCash: false,
    content: (isDuplicate) => orderContent({ ...subject, isDuplicate }),
  };
}

async function ofTransaction(deps: Dependencies, actor: Actor, reference: ReceiptReference, copy: ReceiptCopy): Promise<Unmarked> {
  const subject = await subjectOf(deps, actor, reference, copy);
  return {
    id: subjectId(subject),
    usualWidth: subject.merchant.vtSettings.receiptWidth,
    isCash: false,
    content: (isDuplicate) => receiptContent({ ...subject, isDuplicate }),
  };
}

/** Checks that the drawer may be opened: for a cash payment, by a caller who may take cash. */
function checkDrawer(actor: Actor, { isCash }: Unmarked): void {
  if (!isCash) throw new ServiceError('VALIDATION_ERROR', 'The drawer opens for cash only.', { field: 'drawerPin' });
  if (!actor.permissions.has('tenders:write') && !actor.permissions.has('invoices:write'))
    throw new ServiceError('PERMISSION_DENIED', 'You do not have permission to open the drawer.', { field: 'drawerPin' });
}

function rendered(
  content: ReceiptContent,
  { format = 'html', columns: requestedColumns, codePage, cuts, drawerPin }: PrintInput,
  width: ReceiptWidth,
  isDuplicate: boolean,
): Pick<PrintedReceipt, 'content' | 'contentType'> {
  const columns = requestedColumns ?? PAPER[width].columns;
  switch (format) {
    case 'html':
      return { content: receiptDocument(content, width), contentType: 'text/html; charset=utf-8' };
    case 'text':
      return { content: receiptText(content, columns), contentType: 'text/plain; charset=utf-8' };
    case 'escpos': {
      const traits = { codePage: codePage ?? DEFAULT_PRINTER.codePage, cuts: cuts ?? DEFAULT_PRINTER.cuts };
      // When a receipt is printed again, the cash is in the drawer already.
      const bytes = receiptEscpos(content, columns, { ...traits, drawerPin: isDuplicate ? null : (drawerPin ?? null) });
      return { content: bytes.toString('base64'), contentType: 'application/vnd.escpos' };
    }
  }
}
