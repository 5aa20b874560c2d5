import { t } from '#renderer/base/language';
import { expiryOf } from '#shared/expiry';

/** A month of a year; the month counts from 1. */
interface CalendarMonth {
  readonly year: number;
  readonly month: number;
}

type ExpiryReading =
  | { readonly kind: 'empty' | 'incomplete' | 'invalid' | 'expired' | 'too-far' }
  /** As the API expects it: two digits and four. */
  | { readonly kind: 'valid'; readonly month: string; readonly year: string };

const LONGEST_VALIDITY_YEARS = 20;

/** Reads an expiry date; `today` is the month in which the card must still be valid. */
export function readExpiry(text: string, today: CalendarMonth): ExpiryReading {
  const expiry = expiryOf(text);
  if (expiry === null) {
    const { month } = parts(text);
    if (month === '') return { kind: 'empty' };
    return { kind: month.length === 2 && (Number(month) < 1 || Number(month) > 12) ? 'invalid' : 'incomplete' };
  }
  const [monthNumber, yearNumber] = [Number(expiry.month), Number(expiry.year)];
  if (yearNumber < today.year || (yearNumber === today.year && monthNumber < today.month)) return { kind: 'expired' };
  if (yearNumber > today.year + LONGEST_VALIDITY_YEARS) return { kind: 'too-far' };
  return { kind: 'valid', ...expiry };
}

/** Formats an expiry as on the card, 01/27, while it is typed; a single first digit above 1 is a complete month. */
export function formatExpiry(text: string): string {
  const complete = /^\s*20\d\d/.test(text) ? expiryOf(text) : null;
  if (complete !== null) return `${complete.month}/${complete.year}`;
  const { month, year, split } = parts(text);
  const whole = month.length === 1 && (split || month > '1') && month !== '0' ? `0${month}` : month;
  if (year !== '') return `${whole}/${year}`;
  return split && whole.length === 2 ? `${whole}/` : whole;
}

/** Returns the message for an expiry date that the operator has finished; null if it is valid. */
export function expiryProblem(text: string, today: CalendarMonth): string | null {
  switch (readExpiry(text, today).kind) {
    case 'valid':
      return null;
    case 'empty':
      return t('Enter the expiry.');
    case 'expired':
      return t('This card has expired.');
    default:
      return t('Enter the expiry as on the card: 01/27.');
  }
}

/** Returns the month on this computer's calendar; the server decides by the merchant's. */
export function monthOf(date: Date): CalendarMonth {
  return { year: date.getFullYear(), month: date.getMonth() + 1 };
}

function parts(text: string): { month: string; year: string; split: boolean } {
  const match = /^\D*(\d*)(\D*)(.*)$/s.exec(text);
  const first = match?.[1] ?? '';
  const split = first !== '' && (match?.[2] ?? '') !== '';
  const monthLength = split || first.charAt(0) <= '1' ? 2 : 1;
  const rest = first.slice(monthLength) + (match?.[3] ?? '').replace(/\D/g, '');
  return { month: first.slice(0, monthLength), year: rest.slice(0, 4), split };
}
