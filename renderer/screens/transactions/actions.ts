import type { Merchant, Transaction, TransactionDetail } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';
import { isOpenAuthorization } from './status.ts';

export const ACTIONS = [
  'refund',
  'capture',
  'void',
  'adjust',
  'tip',
  'refund-only',
  'store-credit',
  'cancelCapture',
  'credit',
  'rerun',
  'dispute',
] as const;
export type ActionId = (typeof ACTIONS)[number];

export const ACTION_LABELS: Readonly<Record<ActionId, string>> = {
  refund: t('Refund', { context: 'verb' }),
  capture: t('Capture', { context: 'verb' }),
  void: t('Void', { context: 'verb' }),
  adjust: t('Change authorized amount'),
  tip: t('Change tip'),
  'refund-only': t('Refund instead of voiding'),
  'store-credit': t('Refund to store credit'),
  cancelCapture: t('Cancel capture'),
  credit: t('Credit the card'),
  rerun: t('Rerun'),
  dispute: t('Record dispute'),
};

/** Returns the name of an action: a void of held money releases it. */
export const labelOf = (id: ActionId, transaction: Transaction) =>
  id === 'void' && isOpenAuthorization(transaction) ? t('Release') : ACTION_LABELS[id];

/** Actions that return taken money. */
const REFUNDS: ReadonlySet<ActionId> = new Set(['refund', 'refund-only', 'store-credit']);

/** The service's answers for the operations on a transaction. */
export type TransactionActions = TransactionDetail['actions'];

/** Actions of a transaction of which only the row of a list is known: an operation that the service refuses says so when it is run. */
export const UNREAD_ACTIONS = Object.fromEntries(
  ACTIONS.filter((id) => id !== 'refund-only' && id !== 'store-credit').map((id) => [id, { allowed: true }]),
) as TransactionActions;

/** Returns the service's reason why an action is not available; undefined if it is. */
export function blockedReason(id: ActionId, transaction: TransactionDetail): string | undefined {
  const { actions } = transaction;
  if (id !== 'refund-only' && id !== 'store-credit') return refusalOf(actions[id]);
  if (id === 'store-credit')
    return transaction.captureHeldUntil === null
      ? refusalOf(actions.refund)
      : t('The capture isn’t sent to the processor yet. Void the payment, or refund it to store credit later.');
  return refusalOf(actions.refund) ?? (actions.void.allowed ? undefined : t('A refund of this payment never voids it.'));
}

/**
 * Returns true if a menu offers an action. Those that never apply are left out, so that a shop without tips, authorizations and store credit does not see
 * them.
 */
export function isOffered(id: ActionId, transaction: Transaction, { tipEnabled, storeCreditForCards }: Merchant['vtSettings']): boolean {
  const { type, tipAmount, bankAccount } = transaction;
  if (isOpenAuthorization(transaction) && REFUNDS.has(id)) return false;
  if (id === 'capture') return type === 'auth';
  if (id === 'adjust') return type === 'auth';
  // The bank can return its payment after the credit is spent.
  if (id === 'store-credit') return storeCreditForCards && bankAccount === null;
  return id !== 'tip' || tipEnabled || tipAmount > 0;
}
