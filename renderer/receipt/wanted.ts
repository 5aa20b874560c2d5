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

export interface ReceiptOptions {
  /** The merchant's paper unless given. */
  readonly width?: ReceiptWidth;
  /** Only to be looked at: the next print is not a duplicate of it. */
  readonly preview?: boolean;
}

/** Has a receipt made. The server counts it, so that the second print of a copy says DUPLICATE on whichever station it is made. */
export async function fetchReceipt({ transaction, refund, copy }: WantedReceipt, options: ReceiptOptions = {}): Promise<MadeReceipt> {
  const { width, preview = false } = options;
  const body = {
    transactionId: transaction.transactionId,
    ...(refund === undefined ? {} : { refundId: refund.refundId }),
    format: 'html' as const,
    copy,
    ...(width === undefined ? {} : { width }),
    preview,
  };
  const made = await takeData(api.POST('/api/v1/notifications/receipt/print', { body }));
  return { html: made.content, width: made.width };
}
