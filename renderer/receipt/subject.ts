import { RECEIPT_WIDTHS, type ReceiptWidth } from '#renderer/workstation';

/** The part of a transaction record that a receipt speaks of; amounts in major units, absent values null. */
export interface ReceiptTransaction {
  readonly transactionId: string;
  readonly type: string;
  readonly paymentMethod: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly refundedAmount: number;
  readonly authCode: string | null;
  readonly processorRef: string | null;
  readonly declineReason: string | null;
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly bankAccount: { readonly last4: string; readonly accountType: string } | null;
  readonly orderId: string | null;
  readonly description: string | null;
  readonly source: string;
  readonly createdAt: string;
}

/** A refund whose receipt is wanted, beside the transaction that it belongs to. */
export interface ReceiptRefund {
  readonly refundId: string;
  readonly amount: number;
  readonly refundedAt: string | null;
}

export interface ReceiptMerchant {
  readonly name: string;
  readonly timezone: string;
  readonly city?: string | null;
  readonly state?: string | null;
  /** The merchant's terminal settings (decisions 9): receiptHeader, receiptFooter and receiptWidth are of use here. */
  readonly vtSettings?: unknown;
}

export const RECEIPT_COPIES = ['customer', 'merchant'] as const;
export type ReceiptCopy = (typeof RECEIPT_COPIES)[number];

/** One receipt to be made. */
export interface ReceiptSubject {
  readonly transaction: ReceiptTransaction;
  readonly refund?: ReceiptRefund;
  readonly merchant: ReceiptMerchant;
  readonly copy: ReceiptCopy;
  readonly sandbox: boolean;
  /** This copy was printed before. */
  readonly duplicate: boolean;
}

/** Columns of plain text that a paper width holds; letter takes the text of the wide roll. */
export const COLUMNS: Readonly<Record<ReceiptWidth, number>> = { '58mm': 32, '80mm': 48, letter: 48 };

/** What a merchant's settings say of its receipts; null where they say nothing. */
export function receiptSettings({ vtSettings }: Pick<ReceiptMerchant, 'vtSettings' | 'name'>): {
  readonly header: string | null;
  readonly footer: string | null;
  readonly width: ReceiptWidth;
} {
  const given: Record<string, unknown> = typeof vtSettings === 'object' && vtSettings !== null ? { ...vtSettings } : {};
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null);
  return {
    header: text(given.receiptHeader),
    footer: text(given.receiptFooter),
    width: RECEIPT_WIDTHS.find((width) => width === given.receiptWidth) ?? '80mm',
  };
}
