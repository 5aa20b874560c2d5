import type { Transaction, TransactionDetail } from '#renderer/client';
import { leftOf } from './standing.ts';

const ACTIONS = ['give-back', 'capture', 'void', 'cancel-capture', 'credit', 'rerun'] as const;
export type ActionId = (typeof ACTIONS)[number];

export const ACTION_LABELS: Readonly<Record<ActionId, string>> = {
  'give-back': 'Give money back',
  capture: 'Capture',
  void: 'Void',
  'cancel-capture': 'Cancel the capture',
  credit: 'Credit the card',
  rerun: 'Run again',
};

type Barred = Readonly<Record<ActionId, string | undefined>>;

const all = (reason: string, others: Partial<Barred> = {}): Barred => ({
  'give-back': reason,
  capture: reason,
  void: reason,
  'cancel-capture': reason,
  credit: reason,
  rerun: 'Only a declined or failed payment is run again.',
  ...others,
});

/**
 * Returns the reasons why actions are not available; undefined if they are. Mirrors the service's transition table, which decides; this
 * only spares the user a refusal.
 */
export function barredReasons(transaction: TransactionWithRerun): Barred {
  const rerun = rerunReason(transaction);
  const { status, type, captured, settledAt, refundStatus, capturedAmount, refundedAmount, reservedAmount } = transaction;
  if (status === 'pending') return all('The outcome is not known yet.', { rerun: 'The outcome is not known yet.' });
  if (status === 'declined') return all('It was declined: no money was taken.', { rerun });
  if (status === 'failed') return all('It failed: no money was taken.', { rerun });
  if (status === 'voided') return all('It is voided.', { credit: undefined });
  if (type === 'credit') return all("A credit can't be refunded.", { credit: undefined });
  if (!captured) {
    return all('', {
      'give-back': undefined,
      capture: undefined,
      void: undefined,
      'cancel-capture': 'It is not captured.',
      credit: undefined,
    });
  }
  const hasRefunds = refundStatus !== 'none' || reservedAmount > 0;
  const giveBack =
    transaction.returnedAt !== null
      ? 'The bank took it back.'
      : leftOf(transaction) > 0
        ? undefined
        : refundedAmount >= capturedAmount
          ? 'All of it is given back.'
          : 'What is left is held by a refund under way.';
  const untouched = settledAt ? 'It is settled: give money back instead.' : hasRefunds ? 'Money was given back already.' : undefined;
  return all('', {
    'give-back': giveBack,
    capture: type === 'auth' ? 'It is captured already.' : 'A sale is captured as it is made.',
    void: untouched,
    'cancel-capture': type === 'auth' ? untouched : 'A sale has no separate capture: void it instead.',
    credit: undefined,
  });
}

/** A transaction with its latest rerun, if it was read by itself; lists do not contain it. */
export type TransactionWithRerun = Transaction & Partial<Pick<TransactionDetail, 'rerun'>>;

/** Returns the reason why a declined or failed payment can't be rerun; undefined if it can. */
function rerunReason({ invoiceId, subscriptionId, rerun }: TransactionWithRerun): string | undefined {
  if (invoiceId !== null) return 'This payment was for an invoice: take a payment there.';
  if (subscriptionId !== null) return 'This payment was for a subscription: retry it there.';
  if (rerun?.status === 'pending') return 'This payment is being rerun; the outcome is not known yet.';
  const isOver = rerun == null || rerun.status === 'declined' || rerun.status === 'failed';
  return isOver ? undefined : 'This payment was already rerun.';
}

/** Returns true if a void returns the money: nothing is settled or refunded yet, and the full amount is requested. */
export function voidsInstead(transaction: Transaction, isWhole: boolean): boolean {
  return barredReasons(transaction).void === undefined && (isWhole || !transaction.captured);
}
