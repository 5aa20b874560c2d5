import { ServiceError } from '#core/kernel';
import { cardTypeOf, isCardNumberOf } from '#shared/card-types';
import type { AccountHolder } from '#shared/channels';
import type { BankSource, CardSource } from './source.ts';

export interface CardInput {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cvv?: string;
}

export interface BankAccountInput {
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly accountType: string;
  readonly accountHolderName: string;
  /** By default a person. */
  readonly accountHolderType?: AccountHolder;
}

const BRANDS: Readonly<Record<string, string>> = { 'american-express': 'amex', 'diners-club': 'diners' };
const EXPIRY_YEARS_AHEAD_MAX = 50;

/**
 * Checks a keyed card; spaces and dashes of the number are removed. @throws ServiceError INVALID_CARD_NUMBER, INVALID_EXPIRY, CARD_EXPIRED
 * (cards are valid through the last day of their month, by the tenant's clock) and INVALID_CVV with `field` card.number, card.expiryMonth,
 * card.expiryYear or card.cvv.
 */
export function checkCard(input: CardInput, nowMs: number): CardSource {
  const number = input.number.replace(/[ -]/g, '');
  const card = /^\d{12,19}$/.test(number) ? cardTypeOf(number) : null;
  if (!card || !isCardNumberOf(card, number))
    throw new ServiceError('INVALID_CARD_NUMBER', 'The card number is not valid.', { field: 'card.number' });
  const month = /^\d{1,2}$/.test(input.expiryMonth) ? Number(input.expiryMonth) : 0;
  if (month < 1 || month > 12) throw invalidExpiry('card.expiryMonth', 'The expiry month must be 01 to 12.');
  if (!/^(\d{2}|\d{4})$/.test(input.expiryYear)) throw invalidExpiry('card.expiryYear', 'The expiry year must have four digits.');
  const year = input.expiryYear.length === 2 ? 2000 + Number(input.expiryYear) : Number(input.expiryYear);
  const now = new Date(nowMs);
  if (year > now.getUTCFullYear() + EXPIRY_YEARS_AHEAD_MAX) throw invalidExpiry('card.expiryYear', 'The expiry year is too far ahead.');
  if (Date.UTC(year, month, 1) <= nowMs) throw new ServiceError('CARD_EXPIRED', 'The card has expired.', { field: 'card.expiryYear' });
  return {
    kind: 'card',
    number,
    expiryMonth: String(month).padStart(2, '0'),
    expiryYear: String(year),
    brand: BRANDS[card.type] ?? card.type,
    ...(input.cvv === undefined ? {} : { cvv: checkCvv(input.cvv, 'card.cvv', BRANDS[card.type] ?? card.type) }),
  };
}

/** Returns the brand of a card by its first digits; an empty text if they belong to several brands or none. */
export function brandOfDigits(digits: string): string {
  const type = cardTypeOf(digits)?.type;
  return type === undefined ? '' : (BRANDS[type] ?? type);
}

/** Checks a security code: four digits of American Express, three of any other brand. @throws ServiceError INVALID_CVV */
export function checkCvv(cvv: string, field: string, brand: string): string {
  if (brand === 'amex' ? /^\d{4}$/.test(cvv) : /^\d{3}$/.test(cvv)) return cvv;
  const message =
    brand === 'amex'
      ? 'The security code of American Express has 4 digits. It is on the front of the card.'
      : 'The security code has 3 digits. It is on the back of the card.';
  throw new ServiceError('INVALID_CVV', message, { field });
}

function invalidExpiry(field: string, message: string): ServiceError {
  return new ServiceError('INVALID_EXPIRY', message, { field });
}

const ROUTING_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** Returns true for nine digits whose weighted sum is a multiple of ten (ABA). */
function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  return ROUTING_WEIGHTS.reduce((sum, weight, index) => sum + weight * Number(text[index]), 0) % 10 === 0;
}

/** Checks a bank account. @throws ServiceError VALIDATION_ERROR with `field` bankAccount.… */
export function checkBankAccount(input: BankAccountInput): BankSource {
  const refuse = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field: `bankAccount.${field}` });
  const accountNumber = input.accountNumber.replace(/[ -]/g, '');
  if (!isRoutingNumber(input.routingNumber))
    throw refuse('routingNumber', 'The routing number must have nine digits and a correct check digit.');
  if (!/^\d{4,17}$/.test(accountNumber)) throw refuse('accountNumber', 'The account number must have 4 to 17 digits.');
  if (input.accountType !== 'checking' && input.accountType !== 'savings')
    throw refuse('accountType', 'The account type must be checking or savings.');
  const accountHolderName = input.accountHolderName.trim();
  if (accountHolderName === '') throw refuse('accountHolderName', 'The name of the account holder is required.');
  const { routingNumber, accountType, accountHolderType: holder = 'person' } = input;
  return { kind: 'ach', accountNumber, routingNumber, accountType, accountHolderName, holder };
}
