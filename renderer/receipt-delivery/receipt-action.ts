import type { Transaction } from '#renderer/client';

/** Action that sends or saves a receipt without printing it. */
export interface ReceiptAction {
  readonly id: 'email' | 'text' | 'pdf';
  readonly keys: string;
  readonly label: string;
  /** Label with a verb, for the list of shortcuts. */
  readonly action: string;
  readonly run: () => void;
  /** Reason why it is not available. */
  readonly blockedReason: string | undefined;
}

/** A receipt that was put into the outbox. */
export interface SentReceipt {
  readonly messageId: string;
  readonly to: string;
  readonly channel: 'email' | 'sms';
}

/** Properties of a payment that its receipts depend on. */
export type ReceiptPayment = Pick<Transaction, 'transactionId' | 'status' | 'customer' | 'customerId'>;
