import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { accountText, cardText } from '#renderer/base/payment-methods';
import type { SaleRequest } from './request.ts';

const LAST_DIGITS = 4;

/**
 * Returns the payment method of a request without its number: brand and last four digits. `brand` is the card's brand, `savedMethod` the
 * label of a stored payment method or of a card reader.
 */
export function methodLabelOf(request: SaleRequest, brand: string | null, savedMethod?: string): string {
  if (request.card) return cardText({ brand, last4: request.card.number.slice(-LAST_DIGITS) });
  if (request.bankAccount) return accountText({ last4: request.bankAccount.accountNumber.slice(-LAST_DIGITS) });
  return savedMethod ?? t('Saved card {{token}}', { token: request.token ?? '' });
}

/**
 * Returns the last four digits of the payment method of a request; undefined for a token whose card is not known. `savedMethod` is a stored
 * one.
 */
export function lastFourOf(request: SaleRequest, savedMethod?: { readonly last4: string } | null): string | undefined {
  return request.card?.number.slice(-LAST_DIGITS) ?? request.bankAccount?.accountNumber.slice(-LAST_DIGITS) ?? savedMethod?.last4;
}

/** Returns the payment method of a transaction in short form, such as "Visa ••1111". */
export function shortMethodLabel({ card, bankAccount, terminal }: Pick<Transaction, 'card' | 'bankAccount' | 'terminal'>): string {
  if (card) return cardText(card);
  if (terminal) return terminal.name;
  return bankAccount ? accountText(bankAccount) : t('Saved card');
}
