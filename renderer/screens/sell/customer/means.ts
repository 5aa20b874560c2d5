import type { Transaction } from '#renderer/client';
import { brandName } from '#renderer/receipt';
import type { SaleRequest } from '../charge/request.ts';

const LAST = 4;

/**
 * Returns the payment method of a request without its number: brand and last four digits. `brand` is the card's brand, `onFile` a stored
 * payment method.
 */
export function meansOf(request: SaleRequest, brand: string | null, onFile?: string): string {
  if (request.card) return `${brand ?? 'Card'} ending in ${request.card.number.slice(-LAST)}`;
  if (request.bankAccount) return `Bank account ending in ${request.bankAccount.accountNumber.slice(-LAST)}`;
  return onFile ?? `Saved card ${request.token ?? ''}`;
}

/** The last four signs of what a request charges; undefined of a token whose card is not known. `onFile` is what a customer has stored. */
export function lastFourOf(request: SaleRequest, onFile?: { readonly last4: string } | null): string | undefined {
  return request.card?.number.slice(-LAST) ?? request.bankAccount?.accountNumber.slice(-LAST) ?? onFile?.last4;
}

/** The means of a transaction, short: Visa 1111. */
export function shortMeans({ card, bankAccount }: Pick<Transaction, 'card' | 'bankAccount'>): string {
  if (card) return `${brandName(card.brand)} ${card.last4}`;
  return bankAccount ? `Bank ${bankAccount.last4}` : 'Saved card';
}
