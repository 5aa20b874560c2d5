import type { Transaction } from '#renderer/client';

/** Ways to send a receipt to a person who is not at the printer. */
export interface ReceiptWay {
  readonly id: 'email' | 'text' | 'pdf';
  readonly keys: string;
  readonly label: string;
  /** Verb first, for the list of keys. */
  readonly action: string;
  readonly run: () => void;
  /** Reason why it is not available. */
  readonly barred: string | undefined;
}

/** A receipt that was handed to the outbox. */
export interface SentReceipt {
  readonly messageId: string;
  readonly to: string;
  readonly channel: 'email' | 'sms';
}

/** Properties of a payment that decide about its receipts. */
export type ReceiptPayment = Pick<Transaction, 'transactionId' | 'status' | 'customer' | 'customerId'>;
