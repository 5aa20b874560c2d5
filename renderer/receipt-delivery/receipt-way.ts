import type { Transaction } from '#renderer/client';

/** A way for a receipt to reach somebody who is not at the printer. */
export interface ReceiptWay {
  readonly id: 'email' | 'text' | 'pdf';
  readonly keys: string;
  readonly label: string;
  /** Verb first, for the list of keys. */
  readonly action: string;
  readonly run: () => void;
  /** Why it is not to be had, in words. */
  readonly barred: string | undefined;
}

/** A receipt that was handed to the outbox. */
export interface SentReceipt {
  readonly messageId: string;
  readonly to: string;
  readonly channel: 'email' | 'sms';
}

/** What a receipt needs to know of its payment. */
export type ReceiptPayment = Pick<Transaction, 'transactionId' | 'status' | 'customer' | 'customerId'>;
