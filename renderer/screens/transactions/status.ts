import type { Payment, Refund, Transaction } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { fromMinor, toMinor } from '#renderer/base/money';

/** Returns the state for the chip: the API's status, or settled, returned, disputed or, for held money, authorized. */
export function stateOf(transaction: Transaction): string {
  const { status, settledAt, returnedAt, disputedAmount } = transaction;
  if (isOpenAuthorization(transaction)) return 'authorized';
  if (returnedAt !== null) return 'returned';
  if (disputedAmount > 0) return 'disputed';
  return status === 'approved' && settledAt !== null ? 'settled' : status;
}

/** Returns the state of a payment of any kind for the chip. */
export const stateOfPayment = ({ transaction, tender }: Payment): string => (transaction ? stateOf(transaction) : (tender?.status ?? ''));

/** Returns the type of a transaction, such as "Sale" or "Authorization, captured". */
export function typeOf({ type, captured }: Transaction): string {
  if (type === 'auth') return captured ? t('Authorization, captured') : t('Authorization');
  return type === 'credit' ? t('Credit') : t('Sale');
}

/** Returns the amount that can still be refunded: captured, less refunded, reserved by pending refunds and charged back. */
export function refundableAmountOf({ status, currency, ...transaction }: Transaction): number {
  if (status !== 'approved') return 0;
  const minor = (amount: number) => toMinor(amount, currency);
  const { capturedAmount, refundedAmount, reservedAmount, disputedAmount } = transaction;
  return fromMinor(Math.max(0, minor(capturedAmount) - minor(refundedAmount) - minor(reservedAmount) - minor(disputedAmount)), currency);
}

/**
 * Describes the reason of a refund, and whether it was a void; for a declined refund, the reason of the decline. Empty if there is none.
 */
export function refundNote({
  status,
  reason,
  declineReason,
  sentAs,
}: Pick<Refund, 'status' | 'reason' | 'declineReason' | 'sentAs'>): string {
  if (status === 'declined') return serviceText(declineReason ?? '');
  const isVoided = status === 'approved' && sentAs === 'void';
  const isCredit = sentAs === 'store_credit';
  return [reason, isCredit && t('Refunded to store credit'), isVoided && t('Voided before it settled: the customer isn’t charged')]
    .filter(Boolean)
    .join(' · ');
}

/** Returns true for an authorization that waits for its capture. */
export const isOpenAuthorization = ({ type, status, captured }: Pick<Transaction, 'type' | 'status' | 'captured'>): boolean =>
  type === 'auth' && status === 'approved' && !captured;
