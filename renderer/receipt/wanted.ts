import { api, takeData } from '#renderer/client';
import type { ReceiptWidth } from '#renderer/workstation';

export const RECEIPT_COPIES = ['customer', 'merchant'] as const;
export type ReceiptCopy = (typeof RECEIPT_COPIES)[number];

export const COPY_LABELS: Readonly<Record<ReceiptCopy, string>> = { customer: 'Customer copy', merchant: 'Merchant copy' };

/** A receipt that is wanted: of a transaction, or of a refund of it. */
export interface WantedReceipt {
  readonly transaction: { readonly transactionId: string };
  readonly refund?: { readonly refundId: string };
  readonly copy: ReceiptCopy;
}

/** A receipt as the server made it. */
export interface MadeReceipt {
  /** A whole HTML document for its paper. */
  readonly html: string;
  readonly width: ReceiptWidth;
}

/** Has a receipt made; one that was printed before says DUPLICATE, on whichever station that was. */
export async function fetchReceipt(wanted: WantedReceipt, width?: ReceiptWidth): Promise<MadeReceipt> {
  const made = await ask(wanted, { width, preview: true });
  return { html: made.content, width: made.width };
}

/** Counts a print that was sent to the printer. */
export const notePrinted = (wanted: WantedReceipt) => ask(wanted, { preview: false });

function ask({ transaction, refund, copy }: WantedReceipt, { width, preview }: { width?: ReceiptWidth; preview: boolean }) {
  const body = {
    transactionId: transaction.transactionId,
    ...(refund === undefined ? {} : { refundId: refund.refundId }),
    format: 'html' as const,
    copy,
    ...(width === undefined ? {} : { width }),
    preview,
  };
  return takeData(api.POST('/api/v1/notifications/receipt/print', { body }));
}
