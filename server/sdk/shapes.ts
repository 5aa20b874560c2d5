import { formatDecimal, type Money } from '#core/kernel';
import type { Refund, Transaction } from '#core/payments';

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function isMoney(value: object): value is Money {
  return 'minor' in value && 'currency' in value;
}

/** The SDK's naming: every key PascalCase, amounts as strings with the decimals of their currency (decisions 2, 11). Metadata stays as it was sent. */
function show(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(show);
  if (isMoney(value)) return formatDecimal(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [pascal(name), name === 'metadata' ? inner : show(inner)]));
}

export function sdkTransaction(transaction: Transaction): unknown {
  const { tenantId: _, ...shown } = transaction;
  return show(shown);
}

export function showSdkPayment(transaction: Transaction) {
  return { success: transaction.status !== 'declined', data: sdkTransaction(transaction) };
}

export function showSdkTransaction(transaction: Transaction) {
  return { success: true, data: sdkTransaction(transaction) };
}

export function showSdkRefund(refund: Refund) {
  return { success: refund.status !== 'declined', data: show(refund) };
}
