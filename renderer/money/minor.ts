import { currencyExponents, exponentOf } from './exponents.ts';

/** An amount of the API (a decimal number) in integer minor units, by its digits. */
export function toMinor(amount: number, currency: string): number {
  return Number(amount.toFixed(exponentOf(currency)).replace('.', ''));
}

/** Integer minor units as plain decimal text: "1250.00", "-3.50". */
export function decimalText(minor: number, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const text = exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`;
  return minor < 0 ? `-${text}` : text;
}

/** Integer minor units as the decimal number the API answers. */
export function fromMinor(minor: number, currency: string): number {
  return Number(decimalText(minor, currency));
}

/** Codes of all currencies the service takes, in alphabetic order. */
export function currencyCodes(): string[] {
  return [...currencyExponents().keys()].sort();
}
