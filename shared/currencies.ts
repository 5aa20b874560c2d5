import * as currencies from '@dinero.js/currencies';

/** Currencies that ISO 4217 added since 2021, which the package does not list, with their decimals. */
const ADDED: readonly (readonly [string, number])[] = [
  ['SLE', 2],
  ['VED', 2],
  ['XCG', 2],
  ['ZWG', 2],
];

/** Number of decimals by currency code. Units that ISO 4217 lists with a fraction other than a power of ten have two official decimals. */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...Object.values(currencies).flatMap((entry): [string, number][] =>
    'code' in entry ? [[entry.code, entry.base === 10 ? entry.exponent : 2]] : [],
  ),
  ...ADDED,
]);
/** ISO 4217 codes of units of account and funds, which are not used for payments. */
const UNITS_OF_ACCOUNT: ReadonlySet<string> = new Set(['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']);

/** Currencies that ISO 4217 withdrew since 2021, with their successors. Records in them stay readable and refundable. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['ANG', 'XCG'],
  ['BGN', 'EUR'],
  ['CUC', 'CUP'],
  ['HRK', 'EUR'],
  ['SLL', 'SLE'],
  ['ZWL', 'ZWG'],
]);

/** Maximum number of digits of an amount before its decimals. */
export const MAJOR_DIGITS_MAX = 11;

/** Codes of all currencies in which a new payment can be made, in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = [...EXPONENTS.keys()]
  .filter((code) => !UNITS_OF_ACCOUNT.has(code) && !SUCCESSORS.has(code))
  .sort();

/** Returns true for the code of a currency in which a payment can be made or could be made until it was withdrawn. */
export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code) && !UNITS_OF_ACCOUNT.has(code);
}

/** Returns the code of the currency that replaced a withdrawn one; undefined if the currency is not withdrawn. */
export function successorOf(code: string): string | undefined {
  return SUCCESSORS.get(code);
}

/** Returns the number of decimals of a currency by ISO 4217 (USD 2, JPY 0, KWD 3), or undefined for an unknown code. `Intl` is wrong for several. */
export function findExponent(code: string): number | undefined {
  return EXPONENTS.get(code);
}

/** Returns integer minor units as decimal text with all decimals: "1250.00", "-3.50". */
export function decimalOf(minor: number, exponent: number): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
