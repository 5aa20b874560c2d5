import { type Currency, exponentOf, type Money, money } from '#core/kernel';

/** Parses an amount of a processor digit by digit. Undefined if it is not an amount of the currency, or negative. */
export function amountOf(text: string | undefined, currency: Currency): Money | undefined {
  const match = /^(\d{1,11})(?:\.(\d{1,6}))?$/.exec(text ?? '');
  if (!match) return undefined;
  const exponent = exponentOf(currency);
  const fraction = (match[2] ?? '').padEnd(exponent, '0');
  if (/[1-9]/.test(fraction.slice(exponent))) return undefined;
  return money(Number(`${match[1]}${fraction.slice(0, exponent)}`), currency);
}
