import type { Transaction } from '#renderer/client';
import { fromMinor, toMinor } from '#renderer/money';

/** The state for the chip: the API's word, where a settled payment counts as settled. */
export function stateOf({ status, settledAt }: Transaction): string {
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
