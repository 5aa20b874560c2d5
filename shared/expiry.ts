/**
 * Expiry dates of cards, read alike by the API, imports, screens and pages. The scripts of pages contain these functions as text, so each uses only its
 * argument and standard browser features.
 */

/** Month and year of an expiry date as the API has them: two digits and four. */
export interface Expiry {
  readonly month: string;
  readonly year: string;
}

/**
 * Returns month and year of an expiry date such as 08/29, 8/29, 0829, 829, 08/2029 and 082029, or with the year first as password managers fill it:
 * 2029-08, 2029/8 and 202908; null for anything else.
 */
export function expiryOf(text: string): Expiry | null {
  const date = text.normalize('NFKC').trim();
  const [, yearFirst = '', monthLast = ''] =
    /^(20\d\d)\s*[-/. ]\s*(\d{1,2})(?:[-/.]\d{1,2})?$/.exec(date) ?? /^(20\d\d)(0[1-9]|1[0-2])$/.exec(date) ?? [];
  const [, monthFirst = monthLast, yearLast = yearFirst] =
    /^(\d{1,2})\s*[-/. ]\s*(\d{4}|\d{2})$/.exec(date) ?? /^(0\d|1[0-2]|[2-9])(\d{4}|\d{2})$/.exec(date) ?? [];
  if (Number(monthFirst) < 1 || Number(monthFirst) > 12) return null;
  return { month: monthFirst.padStart(2, '0'), year: yearLast.length === 2 ? `20${yearLast}` : yearLast };
}

/** Returns a partly typed expiry date in the format MM/YY. A typed separator ends the month; a date with the year first is turned around. */
export function expiryAsTyped(text: string): string {
  const [, whole = '', month = ''] = /^\s*(20\d\d)\s*[-/. ]?\s*(0[1-9]|1[0-2])(?:[-/.]\d{1,2})?\s*$/.exec(text) ?? [];
  if (month !== '') return `${month}/${whole.slice(2)}`;
  const [, first = '', isSplit = '', rest = ''] = /^\D*(\d{1,2})\s*([-/. ])(.*)$/s.exec(text) ?? [];
  const typed = text.replace(/\D/g, '');
  const split = isSplit === '' ? '' : `${first.padStart(2, '0')}${rest.replace(/\D/g, '')}`;
  const digits = split || (/^[2-9]/.test(typed) || /^1[3-9]$/.test(typed) ? `0${typed}` : typed);
  const year = digits.length === 6 && digits.slice(2, 4) === '20' ? digits.slice(4) : digits.slice(2, 6);
  return digits.length < 2 ? digits : `${digits.slice(0, 2)}/${year}`;
}
