import { type Expiry, expiryAsTyped, expiryOf } from '#shared/expiry';

/**
 * Rules for entering a card, shared by all forms: the server reads forms with them, and the scripts of the pages contain the same functions
 * as text. Each function therefore uses only its arguments and standard browser features.
 */

/** Required subset of a text field. */
interface TextField {
  value: string;
  readonly selectionStart: number | null;
  readonly ownerDocument: { readonly activeElement: unknown };
  setSelectionRange(from: number, to: number): void;
}

export interface CardEntry {
  /** Returns true if the digits have the length and the check digit (Luhn) of a card number. No card of 13 digits is issued any more. */
  isCardNumber(digits: string): boolean;
  /** Returns the brand by the first digits; null if they are not enough. */
  brandOf(digits: string): { readonly code: string; readonly name: string } | null;
  /** Returns the digits of a text in groups, as printed on a card. */
  groupsOf(text: string): string;
  /** Returns a partly typed expiry date in the format MM/YY. */
  expiryAsTyped(text: string): string;
  /** Returns month and year of an expiry date in any common format; null for anything else. */
  expiryOf(text: string): Expiry | null;
  /** Replaces the text of a field and keeps the caret after the same digit. */
  rewrite(field: TextField, text: string): void;
}

function isCardNumber(digits: string): boolean {
  if (!/^(?:\d{12}|\d{14,19})$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighed = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

function brandOf(digits: string): { code: string; name: string } | null {
  if (/^4/.test(digits)) return { code: 'visa', name: 'Visa' };
  if (/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) return { code: 'mastercard', name: 'Mastercard' };
  if (/^3[47]/.test(digits)) return { code: 'amex', name: 'Amex' };
  return /^(6011|65|64[4-9])/.test(digits) ? { code: 'discover', name: 'Discover' } : null;
}

function groupsOf(text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, 19);
  const groups = /^3[47]/.test(digits) ? /^(\d{1,4})(\d{0,6})(\d{0,5})/.exec(digits)?.slice(1) : digits.match(/\d{1,4}/g);
  return (groups ?? []).filter(Boolean).join(' ');
}

function rewrite(field: TextField, text: string): void {
  if (field.value === text) return;
  const digitsBefore = (content: string, end: number) => content.slice(0, end).replace(/\D/g, '').length;
  const caret = field.selectionStart ?? field.value.length;
  const count = digitsBefore(field.value, caret);
  let at = caret === field.value.length ? text.length : 0;
  field.value = text;
  if (field.ownerDocument.activeElement !== field) return;
  while (at < text.length && digitsBefore(text, at) < count) at += 1;
  field.setSelectionRange(at, at);
}

export const CARD_ENTRY: CardEntry = { isCardNumber, brandOf, groupsOf, expiryAsTyped, expiryOf, rewrite };

/** The functions as script text for browsers, in the variable `cardEntry`. */
export const CARD_ENTRY_SCRIPT = `var cardEntry = {\n${Object.entries(CARD_ENTRY)
  .map(([name, entry]) => `${name}: ${String(entry)}`)
  .join(',\n')}\n};`;
