import type { Order, Tender, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { RecordAction } from '#renderer/kit/record';

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

/** Returns the actions on a receipt for the panel of its payment. */
export const recordActionsOf = (actions: readonly ReceiptAction[], onPrint: () => void): RecordAction[] => [
  { label: t('Print receipt'), keys: 'P', run: onPrint },
  ...actions.map(({ keys, action, run, blockedReason }) => ({ label: action, keys, run, reason: blockedReason })),
];

/** A receipt that was put into the outbox. */
export interface SentReceipt {
  readonly messageId: string;
  readonly to: string;
  readonly channel: 'email' | 'sms';
}

/** Properties of a payment that its receipts depend on. */
export type ReceiptPayment = Pick<Transaction, 'status' | 'customer' | 'customerId'> & {
  /** ID of a transaction, a tender or an order. */
  readonly transactionId: string;
};

/** Returns a tender as the payment of its receipt. */
export const paymentOfTender = ({ tenderId, customerName: name, customerEmail: email, customerId }: Tender): ReceiptPayment => ({
  transactionId: tenderId,
  status: 'approved',
  customer: { name, email },
  customerId,
});

/** Returns an order as the payment of its receipt, which lists all its payments. */
export const paymentOfOrder = ({ orderId }: Order): ReceiptPayment => ({
  transactionId: orderId,
  status: 'approved',
  customer: null,
  customerId: null,
});
