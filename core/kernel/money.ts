import { decimalOf, findExponent, isCurrency, MAJOR_DIGITS_MAX, successorOf } from '#shared/currencies';
import { assert } from './assert.ts';
import { ServiceError } from './errors.ts';

declare const currencyBrand: unique symbol;
/** ISO 4217 code of a known currency. */
export type Currency = string & { readonly [currencyBrand]: true };

/** An amount in integer minor units of its currency. Created only by `money()` and `parseMoney()`; negative only as the result of a subtraction. */
export interface Money {
  readonly minor: number;
  readonly currency: Currency;
}

/** A leading zero is rejected: `05` may mean five, or a digit may be missing. */
const AMOUNT_PATTERN = new RegExp(`^(0|[1-9]\\d{0,${MAJOR_DIGITS_MAX - 1}})(?:\\.(\\d+))?$`);

/** Returns the decimals of an amount. Zeros beyond those of the currency, as in the text "5.000", do not count. */
function fractionOf([, , fraction = '']: RegExpExecArray, exponent: number): string {
  let length = fraction.length;
  while (length > exponent && fraction[length - 1] === '0') length -= 1;
  return fraction.slice(0, length);
}

/** Narrows a stored currency code. */
export function storedCurrency(code: string): Currency {
  assert(findExponent(code) !== undefined, 'a stored currency is in the table');
  return code as Currency;
}

/** Narrows the ISO 4217 code of a currency of payments, also of one that was withdrawn, which old records have. @throws ServiceError INVALID_CURRENCY */
export function parseCurrency(code: string, field = 'currency'): Currency {
  const capitals = code.toUpperCase();
  if (!isCurrency(code) && isCurrency(capitals))
    throw new ServiceError('INVALID_CURRENCY', `Currency codes have capital letters: send "${capitals}".`, { field });
  if (!isCurrency(code)) {
    const name = JSON.stringify(code).slice(0, 20);
    const isKnown = /^[A-Z]{3}$/.test(code) && new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code) !== undefined;
    if (isKnown) throw new ServiceError('INVALID_CURRENCY', `${name} is not a currency in which payments are made.`, { field });
    throw new ServiceError('INVALID_CURRENCY', `${name} is not an ISO 4217 currency code.`, { field });
  }
  return code as Currency;
}

/** Narrows the code of a currency for new payments. @throws ServiceError INVALID_CURRENCY, also if the currency was withdrawn. */
export function parseCurrentCurrency(code: string, field = 'currency'): Currency {
  const currency = parseCurrency(code, field);
  const successor = successorOf(currency);
  if (successor !== undefined)
    throw new ServiceError('INVALID_CURRENCY', `The currency ${currency} was withdrawn. Use ${successor}.`, { field });
  return currency;
}

/** Returns the currency of a new payment: the requested one, or that of its merchant. @throws ServiceError INVALID_CURRENCY, also if it was withdrawn. */
export function currencyOfPayment(requested: string | undefined, merchant: { readonly currency: Currency }): Currency {
  if (requested !== undefined) return parseCurrentCurrency(requested);
  const { currency } = merchant;
  const successor = successorOf(currency);
  if (successor !== undefined)
    throw new ServiceError(
      'INVALID_CURRENCY',
      `The currency of the merchant, ${currency}, was withdrawn. Change it to ${successor} in the profile of the merchant, or send \`currency\`.`,
      { field: 'currency' },
    );
  return currency;
}

/** Returns the number of decimals of a currency by ISO 4217: USD 2, JPY 0, KWD 3. `Intl` is wrong for several. */
export function exponentOf(currency: Currency): number {
  const exponent = findExponent(currency);
  assert(exponent !== undefined, 'a Currency is always in the table');
  return exponent;
}

/** Returns an amount of `minor` units. @throws if it is not a safe integer, which is a programming error. */
export function money(minor: number, currency: Currency): Money {
  assert(Number.isSafeInteger(minor), 'money is a safe integer of minor units');
  return { minor, currency };
}

/**
 * Parses an amount from a JSON number or decimal string, digit by digit and without arithmetic: 19.99 becomes 1999.
 * @throws ServiceError INVALID_AMOUNT unless it is above zero and has at most the decimals of the currency.
 */
export function parseMoney(amount: string | number, currency: Currency, field = 'amount'): Money {
  const match = AMOUNT_PATTERN.exec(String(amount));
  const exponent = exponentOf(currency);
  const fraction = match ? fractionOf(match, exponent) : '';
  if (fraction.length > exponent) throw tooManyDecimals(field, currency);
  if (!match) {
    const message =
      exponent === 0
        ? `The amount must be a whole number greater than 0, because ${currency} has no decimals.`
        : `The amount must be greater than 0 and have at most ${exponent} decimals in ${currency}.`;
    throw new ServiceError('INVALID_AMOUNT', message, { field });
  }
  const minor = Number(match[1] + fraction.padEnd(exponent, '0'));
  if (minor === 0) throw new ServiceError('INVALID_AMOUNT', 'The amount must be greater than 0.', { field });
  return money(minor, currency);
}

/** Parses an amount that may be 0, such as a tip or a tax. @throws ServiceError INVALID_AMOUNT, with the sentence of `checkAmount`. */
export function parseMoneyOrZero(amount: string | number, currency: Currency, field: string): Money {
  const match = AMOUNT_PATTERN.exec(String(amount));
  const exponent = exponentOf(currency);
  const fraction = match ? fractionOf(match, exponent) : '';
  if (fraction.length > exponent) throw tooManyDecimals(field, currency);
  if (!match) throw invalidAmount(field, true);
  return money(Number(match[1] + fraction.padEnd(exponent, '0')), currency);
}

function tooManyDecimals(field: string, currency: Currency): ServiceError {
  const exponent = exponentOf(currency);
  const example = `5.${'0'.repeat(exponent)}`;
  const message =
    exponent === 0
      ? `\`${field}\` must be a whole number, because ${currency} has no decimals. Round it, or send it as text such as "5".`
      : `\`${field}\` must have at most ${exponent} decimals in ${currency}. Round it, or send it as text such as "${example}".`;
  return new ServiceError('INVALID_AMOUNT', message, { field });
}

function invalidAmount(field: string, allowsZero: boolean): ServiceError {
  const kind = allowsZero ? '0 or more,' : 'a number greater than 0';
  return new ServiceError('INVALID_AMOUNT', `\`${field}\` must be ${kind} with at most the decimals of the currency.`, { field });
}

/** Largest number of decimals of any currency. */
const EXPONENT_MAX = 4;

/** Checks that an amount whose currency is not known yet is a decimal above zero, or zero if that is allowed. @throws ServiceError INVALID_AMOUNT */
export function checkAmount(amount: string | number, field: string, allowsZero = false): void {
  const match = AMOUNT_PATTERN.exec(String(amount));
  const isNumber = match && fractionOf(match, EXPONENT_MAX).length <= EXPONENT_MAX;
  if (match && !isNumber && typeof amount === 'number')
    throw new ServiceError(
      'INVALID_AMOUNT',
      `\`${field}\` has more decimals than any currency. Round it to the decimals of the currency, or send it as text such as "19.99".`,
      { field },
    );
  if (isNumber && (allowsZero || Number(match[1] + (match[2] ?? '')) > 0)) return;
  throw invalidAmount(field, allowsZero);
}

/** Returns the amount as a decimal string with all decimals of its currency: "19.90". */
export function formatDecimal({ minor, currency }: Money): string {
  return decimalOf(minor, exponentOf(currency));
}

export const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value;

/** Returns the amount as a JSON number. Its text is exact: the shortest decimal form of a double keeps up to 15 digits. */
export function toNumber(value: Money): number {
  return value.minor === 0 ? 0 : Number(formatDecimal(value));
}

/** Returns the number of minor units in one major unit: 100 for USD. */
export function majorUnit(currency: Currency): number {
  return 10 ** exponentOf(currency);
}

/** Checks that an amount is at least one major unit, the minimum of sales, authorizations, credits and subscriptions. */
export function atLeastOneUnit(amount: Money): Money {
  if (amount.minor >= majorUnit(amount.currency)) return amount;
  throw new ServiceError('INVALID_AMOUNT', `The smallest amount is 1 ${amount.currency}.`, { field: 'amount' });
}

/** Adds two amounts of one currency. */
export function add(left: Money, right: Money): Money {
  assert(left.currency === right.currency, 'amounts of one currency');
  return money(left.minor + right.minor, left.currency);
}

/** Subtracts the second amount from the first; the result may be negative. */
export function subtract(left: Money, right: Money): Money {
  assert(left.currency === right.currency, 'amounts of one currency');
  return money(left.minor - right.minor, left.currency);
}
