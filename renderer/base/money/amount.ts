import { t } from '#renderer/base/language';
import { MAJOR_DIGITS_MAX } from '#shared/currencies';
import { exponentOf } from './minor.ts';

/** Result of parsing an amount. `decimal` is in the form of the API: plain digits with all decimals of the currency. */
type AmountReading =
  | { readonly kind: 'empty' | 'unclear' | 'zero' | 'too-large' | 'too-many-decimals' }
  | { readonly kind: 'valid'; readonly decimal: string };

const PLAIN = /^(\d+)(?:\.(\d*))?$/;
const GROUPED = /^(\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/;
const FRACTION_ONLY = /^()\.(\d+)$/;

/**
 * Reads 45, 45.5, .50, 4,500.00 and $4,500. The digits are parsed as text and never computed with. Commas that do not separate thousands
 * make the amount unclear: asking again is better than charging a hundred times as much.
 */
export function readAmount(text: string, currency: string): AmountReading {
  const cleaned = text.replace(/[\p{Sc}\s]/gu, '').replace(new RegExp(`^${currency}|${currency}$`, 'i'), '');
  if (cleaned === '') return { kind: 'empty' };
  const match = PLAIN.exec(cleaned) ?? GROUPED.exec(cleaned) ?? FRACTION_ONLY.exec(cleaned);
  if (!match) return { kind: 'unclear' };
  const major = (match[1] ?? '').replaceAll(',', '').replace(/^0+(?=\d)/, '') || '0';
  const fraction = match[2] ?? '';
  const exponent = exponentOf(currency);
  if (fraction.length > exponent) return { kind: 'too-many-decimals' };
  if (major.length > MAJOR_DIGITS_MAX) return { kind: 'too-large' };
  if (/^0*$/.test(major + fraction)) return { kind: 'zero' };
  return { kind: 'valid', decimal: exponent === 0 ? major : `${major}.${fraction.padEnd(exponent, '0')}` };
}

/** Returns the message for an amount that the operator has finished; null if it is valid. */
export function amountProblem(text: string, currency: string): string | null {
  switch (readAmount(text, currency).kind) {
    case 'valid':
      return null;
    case 'empty':
      return t('Enter the amount.');
    case 'zero':
      return t('The amount must be greater than 0.');
    case 'too-large':
      return t('The amount has too many digits.');
    case 'too-many-decimals':
      return exponentOf(currency) === 0
        ? t('{{currency}} has no decimals.', { currency })
        : t('{{currency}} has {{count, number}} decimals.', { currency, count: exponentOf(currency) });
    case 'unclear':
      return t('Enter the amount like 45, 45.50 or 4,500.00.');
  }
}

/**
 * Formats an amount with all decimals of its currency and thousands separators, without the currency: 4,500.00. A negative amount has a
 * minus sign.
 */
export function writeAmount(amount: number | string, currency: string): string {
  const exponent = exponentOf(currency);
  const [major = '0', fraction = ''] = (typeof amount === 'number' ? amount.toFixed(exponent) : amount).split('.');
  const grouped = major.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return exponent === 0 ? grouped : `${grouped}.${fraction.padEnd(exponent, '0')}`;
}

/** Formats an amount with its currency code: 4,500.00 USD. */
export function writeMoney(amount: number | string, currency: string): string {
  return `${writeAmount(amount, currency)} ${currency}`;
}
