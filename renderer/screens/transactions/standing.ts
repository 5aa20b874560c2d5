import type { Refund, Transaction } from '#renderer/client';
import { fromMinor, toMinor } from '#renderer/money';

/** The state for the chip: the API's word, where a settled payment counts as settled and one that came back as returned. */
export function stateOf({ status, settledAt, returnedAt }: Transaction): string {
  if (returnedAt !== null) return 'returned';
  return status === 'approved' && settledAt !== null ? 'settled' : status;
}

/** "Sale", "Auth", "Auth, captured", "Credit". */
export function typeOf({ type, captured }: Transaction): string {
  if (type === 'auth') return captured ? 'Auth, captured' : 'Auth';
  return type === 'credit' ? 'Credit' : 'Sale';
}

/** What can still be given back: captured, less refunded, less what refunds under way hold. */
export function leftOf({ capturedAmount, refundedAmount, reservedAmount, currency, status }: Transaction): number {
  if (status !== 'approved') return 0;
  const minor = (amount: number) => toMinor(amount, currency);
  return fromMinor(minor(capturedAmount) - minor(refundedAmount) - minor(reservedAmount), currency);
}

/** Why money went back, and whether it went by a void; of a refund that was declined, why. Empty where there is nothing to say. */
export function refundWords({
  status,
  reason,
  declineReason,
  sentAs,
}: Pick<Refund, 'status' | 'reason' | 'declineReason' | 'sentAs'>): string {
  if (status === 'declined') return declineReason ?? '';
  const isVoided = status === 'approved' && sentAs === 'void';
  return [reason, isVoided && 'Voided before it settled: the customer is not charged'].filter(Boolean).join(' · ');
}
