import { api, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { ReceiptWidth } from '#renderer/base/workstation';
import type { PrinterSetup } from '#renderer/desktop/bridge';

export const RECEIPT_COPIES = ['customer', 'merchant'] as const;
export type ReceiptCopy = (typeof RECEIPT_COPIES)[number];

export const COPY_LABELS: Readonly<Record<ReceiptCopy, string>> = { customer: t('Customer copy'), merchant: t('Merchant copy') };

/** Receipt of a transaction or of one of its refunds. */
export interface TransactionReceipt {
  readonly transaction: { readonly transactionId: string };
  readonly refund?: { readonly refundId: string };
  readonly copy: ReceiptCopy;
}

/** Receipt of a manual payment of an invoice, such as cash or a check. */
interface PaymentReceipt {
  readonly payment: { readonly paymentId: string };
  readonly copy: ReceiptCopy;
}

/** Receipt of cash, a check or another tender, or of one of its refunds. */
interface TenderReceipt {
  readonly tender: { readonly tenderId: string };
  readonly refund?: { readonly refundId: string };
  readonly copy: ReceiptCopy;
}

/** Receipt of a sale with all its payments. */
interface OrderReceipt {
  readonly order: { readonly orderId: string };
  readonly copy: ReceiptCopy;
}

/** X or Z report of a shift. */
interface ShiftReceipt {
  readonly shift: { readonly shiftId: string };
  readonly copy: ReceiptCopy;
}

export type ReceiptRequest = TransactionReceipt | PaymentReceipt | TenderReceipt | OrderReceipt | ShiftReceipt;

/** Returns the name of a print in messages and in the queue of the printer. */
export const printName = (request: ReceiptRequest) => ('shift' in request ? t('Shift report') : COPY_LABELS[request.copy]);

/** A receipt rendered by the server. */
export interface RenderedReceipt {
  /** Complete HTML document for the paper size. */
  readonly html: string;
  readonly width: ReceiptWidth;
}

/** Requests a receipt; one that any workstation printed before is marked DUPLICATE. */
export async function fetchReceipt(receipt: ReceiptRequest, width?: ReceiptWidth): Promise<RenderedReceipt> {
  const rendered = await requestReceipt(receipt, { format: 'html', preview: true, ...(width === undefined ? {} : { width }) });
  return { html: rendered.content, width: rendered.width };
}

/** Requests a receipt as bytes for the receipt printer, in base64; with the command that opens the drawer if requested. */
export async function fetchPrinterBytes(receipt: ReceiptRequest, setup: PrinterSetup, opensDrawer: boolean): Promise<string> {
  const { paper, columns, codePage, cuts, drawerPin } = setup;
  const options = { format: 'escpos', preview: true, width: paper, columns, codePage, cuts } as const;
  const rendered = await requestReceipt(receipt, { ...options, ...(opensDrawer && drawerPin !== null ? { drawerPin } : {}) });
  return rendered.content;
}

/** Counts a print that was sent to the printer. */
export const countPrint = (receipt: ReceiptRequest) => requestReceipt(receipt, { format: 'html', preview: false });

interface RenderOptions {
  readonly format: 'html' | 'escpos';
  readonly preview: boolean;
  readonly width?: ReceiptWidth;
  readonly columns?: number;
  readonly codePage?: PrinterSetup['codePage'];
  readonly cuts?: boolean;
  readonly drawerPin?: NonNullable<PrinterSetup['drawerPin']>;
}

const requestReceipt = (receipt: ReceiptRequest, options: RenderOptions) =>
  takeData(api.POST('/api/v1/notifications/receipt/print', { body: { ...idsOf(receipt), copy: receipt.copy, ...options } }));

/** Returns the IDs of a receipt for a request or a print job. */
function idsOf(receipt: ReceiptRequest) {
  if ('payment' in receipt) return { paymentId: receipt.payment.paymentId };
  if ('shift' in receipt) return { shiftId: receipt.shift.shiftId };
  if ('order' in receipt) return { orderId: receipt.order.orderId };
  const refundId = receipt.refund === undefined ? {} : { refundId: receipt.refund.refundId };
  if ('tender' in receipt) return { tenderId: receipt.tender.tenderId, ...refundId };
  return { transactionId: receipt.transaction.transactionId, ...refundId };
}

/** Returns the metadata of a receipt for its print job. */
export const jobMetadataOf = (receipt: ReceiptRequest) => JSON.stringify({ ...idsOf(receipt), copy: receipt.copy });

/** Returns the receipt of a print job from its metadata; undefined if the job is not a receipt. */
export function receiptOfJob(metadata: string): ReceiptRequest | undefined {
  const { transactionId, refundId, paymentId, tenderId, orderId, shiftId, copy: givenCopy } = parseRecord(metadata);
  const copy = RECEIPT_COPIES.find((known) => known === givenCopy);
  if (copy === undefined) return undefined;
  if (typeof paymentId === 'string') return { payment: { paymentId }, copy };
  if (typeof shiftId === 'string') return { shift: { shiftId }, copy };
  if (typeof orderId === 'string') return { order: { orderId }, copy };
  const refund = typeof refundId === 'string' ? { refund: { refundId } } : {};
  if (typeof tenderId === 'string') return { tender: { tenderId }, copy, ...refund };
  return typeof transactionId === 'string' ? { transaction: { transactionId }, copy, ...refund } : undefined;
}

function parseRecord(metadata: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(metadata) as object) };
  } catch {
    return {};
  }
}
