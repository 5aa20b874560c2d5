import type { Transaction, TransactionDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { refundableAmountOf } from './status.ts';

const ACTIONS = ['refund', 'capture', 'void', 'adjust', 'tip', 'refund-only', 'cancel-capture', 'credit', 'rerun', 'dispute'] as const;
export type ActionId = (typeof ACTIONS)[number];

export const ACTION_LABELS: Readonly<Record<ActionId, string>> = {
  refund: t('Refund', { context: 'verb' }),
  capture: t('Capture', { context: 'verb' }),
  void: t('Void', { context: 'verb' }),
  adjust: t('Change authorized amount'),
  tip: t('Change tip'),
  'refund-only': t('Refund instead of voiding'),
  'cancel-capture': t('Cancel capture'),
  credit: t('Credit the card'),
  rerun: t('Rerun'),
  dispute: t('Record dispute'),
};

/** Returns the name of an action: a void of held money releases it. */
export const labelOf = (id: ActionId, { type, captured }: Pick<Transaction, 'type' | 'captured'>) =>
  id === 'void' && type === 'auth' && !captured ? t('Release') : ACTION_LABELS[id];

const BANK_AMOUNT = t('The amount of a bank payment can’t be changed.');

type BlockedReasons = Readonly<Record<ActionId, string | undefined>>;

const allBlocked = (reason: string, others: Partial<BlockedReasons> = {}): BlockedReasons => ({
  refund: reason,
  capture: reason,
  void: reason,
  adjust: reason,
  tip: reason,
  'refund-only': reason,
  'cancel-capture': reason,
  credit: reason,
  rerun: t('Only declined or failed payments can be rerun.'),
  dispute: t('Only a captured payment can be disputed.'),
  ...others,
});

/**
 * Returns the reasons why actions are not available; undefined if they are. Mirrors the service's transition table, which decides; this
 * only spares the user a refusal.
 */
export function blockedReasons(transaction: TransactionWithRerun): BlockedReasons {
  const rerun = rerunReason(transaction);
  const { status, type, captured, settledAt, refundStatus, capturedAmount, refundedAmount, reservedAmount, disputedAmount } = transaction;
  if (status === 'pending') return allBlocked(t('The outcome isn’t known yet.'), { rerun: t('The outcome isn’t known yet.') });
  if (status === 'declined') return allBlocked(t('This payment was declined, nothing was charged.'), { rerun });
  if (status === 'failed') return allBlocked(t('This payment failed, nothing was charged.'), { rerun });
  if (status === 'voided') return allBlocked(t('This payment was voided.'));
  if (type === 'credit') return allBlocked(t('A credit can’t be refunded.'), { credit: undefined });
  if (!captured) {
    return allBlocked('', {
      refund: undefined,
      capture: undefined,
      void: undefined,
      adjust: transaction.paymentMethod === 'ach' ? BANK_AMOUNT : undefined,
      tip: transaction.paymentMethod === 'ach' ? BANK_AMOUNT : undefined,
      'refund-only': t('This payment isn’t captured.'),
      'cancel-capture': t('This payment isn’t captured.'),
      credit: undefined,
    });
  }
  const hasRefunds = refundStatus !== 'none' || reservedAmount > 0;
  const refundReason =
    transaction.returnedAt !== null
      ? t('The bank returned this payment.')
      : refundableAmountOf(transaction) > 0
        ? undefined
        : refundedAmount >= capturedAmount
          ? t('This payment is fully refunded.')
          : disputedAmount > 0
            ? t('This payment was charged back.')
            : t('A pending refund reserves the remaining amount.');
  const voidReason = settledAt
    ? t('This payment has settled. Refund it instead.')
    : disputedAmount > 0
      ? t('This payment was charged back.')
      : hasRefunds
        ? t('This payment already has refunds.')
        : undefined;
  return allBlocked('', {
    refund: refundReason,
    capture: type === 'auth' ? t('This payment is already captured.') : t('A sale is captured immediately.'),
    void: voidReason,
    adjust: t('This payment is already captured.'),
    tip: transaction.bankAccount === null ? (settledAt ? t('This payment has settled.') : voidReason) : BANK_AMOUNT,
    'refund-only': voidReason === undefined ? undefined : (refundReason ?? t('A refund of this payment never voids it.')),
    'cancel-capture': type === 'auth' ? voidReason : t('A sale has no separate capture. Void it instead.'),
    credit: transaction.returnedAt !== null ? t('The bank returned this payment.') : undefined,
    dispute: disputeReasonOf(transaction),
  });
}

/** Returns the reason why a captured payment can't be disputed; undefined if it can. The service refuses a second active dispute. */
function disputeReasonOf({ returnedAt, capturedAmount, disputedAmount }: Transaction): string | undefined {
  if (returnedAt !== null) return t('The bank returned this payment.');
  return disputedAmount >= capturedAmount ? t('This payment was charged back already.') : undefined;
}

/**
 * Returns the actions that a menu offers. Those on amounts are left out where they never apply, so that a shop without tips and authorizations does not
 * see them.
 */
export function isOffered(id: ActionId, { type, tipAmount }: Transaction, asksTip: boolean): boolean {
  if (id === 'adjust') return type === 'auth';
  return id !== 'tip' || asksTip || tipAmount > 0;
}

/** A transaction with its latest rerun. Only the response for a single transaction contains the rerun; lists do not. */
export type TransactionWithRerun = Transaction & Partial<Pick<TransactionDetail, 'rerun'>>;

/** Returns the reason why a declined or failed payment can't be rerun; undefined if it can. */
function rerunReason({ invoiceId, subscriptionId, queuedPaymentId, rerun }: TransactionWithRerun): string | undefined {
  if (invoiceId !== null) return t('This payment was for an invoice. Take a new payment on the invoice.');
  if (subscriptionId !== null) return t('This payment was for a subscription. Retry it on the subscription.');
  if (queuedPaymentId !== null) return t('This payment was queued to be charged later. Charge it again there.');
  if (rerun?.status === 'pending') return t('This payment is being rerun; the outcome isn’t known yet.');
  const canRerun = rerun == null || rerun.status === 'declined' || rerun.status === 'failed';
  return canRerun ? undefined : t('This payment was already rerun.');
}

/** Returns true if a void returns the money: nothing is settled or refunded yet, and the full amount is requested. */
export function voidsInstead(transaction: Transaction, isFullAmount: boolean): boolean {
  return blockedReasons(transaction).void === undefined && (isFullAmount || !transaction.captured);
}
