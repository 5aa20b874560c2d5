import { api, takeData } from '#renderer/client';
import type { PrinterSetup } from '#renderer/desktop';
import type { ReceiptWidth } from '#renderer/workstation';

export const RECEIPT_COPIES = ['customer', 'merchant'] as const;
export type ReceiptCopy = (typeof RECEIPT_COPIES)[number];

export const COPY_LABELS: Readonly<Record<ReceiptCopy, string>> = { customer: 'Customer copy', merchant: 'Merchant copy' };

/** The receipt of a transaction, or of a refund of it. */
export interface TransactionReceipt {
  readonly transaction: { readonly transactionId: string };
  readonly refund?: { readonly refundId: string };
  readonly copy: ReceiptCopy;
}

/** The receipt of money that was handed over for an invoice: cash, a check. */
interface PaymentReceipt {
  readonly payment: { readonly paymentId: string };
  readonly copy: ReceiptCopy;
}

export type WantedReceipt = TransactionReceipt | PaymentReceipt;

/** A receipt as the server made it. */
export interface MadeReceipt {
  /** A whole HTML document for its paper. */
  readonly html: string;
  readonly width: ReceiptWidth;
}

/** Requests a receipt; one that any workstation printed before is marked DUPLICATE. */
export async function fetchReceipt(wanted: WantedReceipt, width?: ReceiptWidth): Promise<MadeReceipt> {
  const made = await ask(wanted, { format: 'html', preview: true, ...(width === undefined ? {} : { width }) });
  return { html: made.content, width: made.width };
}

/** The same in the bytes of a receipt printer, in base64; with what opens the drawer where that is wished. */
export async function fetchBytes(wanted: WantedReceipt, setup: PrinterSetup, opensDrawer: boolean): Promise<string> {
  const { paper, columns, codePage, cuts, drawerPin } = setup;
  const how = { format: 'escpos', preview: true, width: paper, columns, codePage, cuts } as const;
  const made = await ask(wanted, { ...how, ...(opensDrawer && drawerPin !== null ? { drawerPin } : {}) });
  return made.content;
}

/** Counts a print that was sent to the printer. */
export const notePrinted = (wanted: WantedReceipt) => ask(wanted, { format: 'html', preview: false });

interface How {
  readonly format: 'html' | 'escpos';
  readonly preview: boolean;
  readonly width?: ReceiptWidth;
  readonly columns?: number;
  readonly codePage?: PrinterSetup['codePage'];
  readonly cuts?: boolean;
  readonly drawerPin?: NonNullable<PrinterSetup['drawerPin']>;
}

const ask = (wanted: WantedReceipt, how: How) =>
  takeData(api.POST('/api/v1/notifications/receipt/print', { body: { ...idsOf(wanted), copy: wanted.copy, ...how } }));

/** Returns the IDs of a receipt for a request or a print job. */
function idsOf(wanted: WantedReceipt) {
  if ('payment' in wanted) return { paymentId: wanted.payment.paymentId };
  const { transaction, refund } = wanted;
  return { transactionId: transaction.transactionId, ...(refund === undefined ? {} : { refundId: refund.refundId }) };
}

/** Returns the data about the receipt that a print job keeps. */
export const noteOf = (wanted: WantedReceipt) => JSON.stringify({ ...idsOf(wanted), copy: wanted.copy });

/** The receipt that a job of the print queue is of; undefined for every other paper. */
export function wantedFrom(note: string): WantedReceipt | undefined {
  const { transactionId, refundId, paymentId, copy: given } = recordIn(note);
  const copy = RECEIPT_COPIES.find((known) => known === given);
  if (copy === undefined) return undefined;
  if (typeof paymentId === 'string') return { payment: { paymentId }, copy };
  if (typeof transactionId !== 'string') return undefined;
  return { transaction: { transactionId }, copy, ...(typeof refundId === 'string' ? { refund: { refundId } } : {}) };
}

function recordIn(note: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(note) as object) };
  } catch {
    return {};
  }
}
