import { decimalOf, findExponent, isPayable, MAJOR_DIGITS_MAX } from '#shared/currencies';
import { assert } from './assert.ts';
import { ServiceError } from './errors.ts';

declare const currencyBrand: unique symbol;
/** An ISO 4217 code known to the table below. */
export type Currency = string & { readonly [currencyBrand]: true };

/** An amount in integer minor units of its currency. Made only by money() and parseMoney(); never negative unless subtracted. */
export interface Money {
  readonly minor: number;
  readonly currency: Currency;
}

/** A leading zero is refused: `05` may be five, or a digit may be missing. */
const AMOUNT_PATTERN = new RegExp(`^(0|[1-9]\\d{0,${MAJOR_DIGITS_MAX - 1}})(?:\\.(\\d+))?$`);

/** Narrows the code of a currency that is stored already. */
export function storedCurrency(code: string): Currency {
  assert(findExponent(code) !== undefined, 'a stored currency is in the table');
  return code as Currency;
}

/** Narrows an ISO 4217 code of a currency that people pay in; anything else is INVALID_CURRENCY. */
export function parseCurrency(code: string, field = 'currency'): Currency {
  if (!isPayable(code))
    throw new ServiceError('INVALID_CURRENCY', `${JSON.stringify(code).slice(0, 20)} is not an ISO 4217 currency code.`, { field });
  return code as Currency;
}

/** Number of decimals of the currency by ISO 4217: USD 2, JPY 0, KWD 3. `Intl` is wrong for several. */
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
 * Reads an amount from a JSON number or decimal string, digit by digit and without arithmetic: 19.99 is 1999.
 * At most the currency's decimals and above zero; anything else is INVALID_AMOUNT (decisions 2).
 */
export function parseMoney(amount: string | number, currency: Currency, field = 'amount'): Money {
  const match = AMOUNT_PATTERN.exec(String(amount));
  const exponent = exponentOf(currency);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > exponent) {
    throw new ServiceError('INVALID_AMOUNT', `The amount must be a decimal above zero with at most ${exponent} decimals.`, { field });
  }
  const minor = Number(match[1] + fraction.padEnd(exponent, '0'));
  if (minor === 0) throw new ServiceError('INVALID_AMOUNT', 'The amount must be above zero.', { field });
  return money(minor, currency);
}

/** The most decimals that a currency has. */
const EXPONENT_MAX = 4;

/** Checks an amount whose currency is not known yet: a decimal above zero. @throws INVALID_AMOUNT */
export function checkAmount(amount: string | number, field: string): void {
  const match = AMOUNT_PATTERN.exec(String(amount));
  if (match && (match[2] ?? '').length <= EXPONENT_MAX && Number(match[1] + (match[2] ?? '')) > 0) return;
  throw new ServiceError('INVALID_AMOUNT', `\`${field}\` must be a decimal above zero, with at most the decimals of the currency.`, {
    field,
  });
}

/** The amount as a decimal string with all decimals of its currency: "19.90". */
export function formatDecimal({ minor, currency }: Money): string {
  return decimalOf(minor, exponentOf(currency));
}

/** Returns the amount as a JSON number. Its text is exact: the shortest decimal form of a double keeps up to 15 digits. */
export function toNumber(value: Money): number {
  return Number(formatDecimal(value));
}

/** The number of minor units in one major unit: 100 for USD. */
export function majorUnit(currency: Currency): number {
  return 10 ** exponentOf(currency);
}

/** The smallest sale, authorization or credit, and so the smallest amount of a plan, is one major unit (decisions 5, 11). */
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
