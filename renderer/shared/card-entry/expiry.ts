import { t } from '#renderer/base/language';

/** A month of a year; the month counts from 1. */
interface CalendarMonth {
  readonly year: number;
  readonly month: number;
}

type ExpiryReading =
  | { readonly kind: 'empty' | 'incomplete' | 'invalid' | 'expired' | 'too-far' }
  /** As the API expects it: two digits and four. */
  | { readonly kind: 'valid'; readonly month: string; readonly year: string };

const CENTURY = 2000;
const LONGEST_VALIDITY_YEARS = 20;

/** Parses 0127, 1/27, 01 27 and 01/2027; `today` is the month in which the card must still be valid. */
export function readExpiry(text: string, today: CalendarMonth): ExpiryReading {
  const { month, year, split } = parts(text);
  if (month === '') return { kind: 'empty' };
  const monthNumber = Number(month);
  if (month.length === 2 && (monthNumber < 1 || monthNumber > 12)) return { kind: 'invalid' };
  if ((month.length === 1 && !split) || monthNumber === 0 || (year.length !== 2 && year.length !== 4)) return { kind: 'incomplete' };
  const yearNumber = year.length === 2 ? CENTURY + Number(year) : Number(year);
  if (yearNumber < today.year || (yearNumber === today.year && monthNumber < today.month)) return { kind: 'expired' };
  if (yearNumber > today.year + LONGEST_VALIDITY_YEARS) return { kind: 'too-far' };
  return { kind: 'valid', month: String(monthNumber).padStart(2, '0'), year: String(yearNumber) };
}

/** Formats an expiry as on the card, 01/27, while it is typed; a single first digit above 1 is a complete month. */
export function formatExpiry(text: string): string {
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
