import { decimalOf, findExponent } from '#shared/currencies';

const DEFAULT_EXPONENT = 2;

/** Returns the number of decimals of a currency by ISO 4217 (USD 2, JPY 0, KWD 3), 2 for an unknown code. */
export function exponentOf(currency: string): number {
  return findExponent(currency) ?? DEFAULT_EXPONENT;
}

/** Converts an amount of the API (a decimal number) to integer minor units, by its digits. */
export function toMinor(amount: number, currency: string): number {
  return Number(amount.toFixed(exponentOf(currency)).replace('.', ''));
}

/** Converts integer minor units to plain decimal text: "1250.00", "-3.50". */
export function decimalText(minor: number, currency: string): string {
  return decimalOf(minor, exponentOf(currency));
}

/** Converts integer minor units to the decimal number of the API. */
export function fromMinor(minor: number, currency: string): number {
  return Number(decimalText(minor, currency));
}
