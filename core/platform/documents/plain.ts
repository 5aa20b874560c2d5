import { maskCardNumbers, PRINTED_TEXT } from '#shared/card-numbers';

/** More marks than these on one letter are no language's, but reach into the lines around it. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Returns one harmless line of a text: without control, format and direction characters and lone surrogates, and with card numbers reduced
 * to their last four digits. Not escaped for HTML: see `escapeHtml()`.
 */
export function plain(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]+/gu, '')
    // Full-width and mathematical digits are a card number's as well.
    .replace(/\p{Nd}/gu, (digit) => digit.normalize('NFKC'))
    .replace(STACKED_MARKS, '$1')
    .replace(/\s+/gu, ' ');
  return maskCardNumbers(line, PRINTED_TEXT).trim();
}

/** The lines of a text, each as plain() makes it; empty ones are left out. */
export function plainLines(text: string | null | undefined): string[] {
  return (text ?? '')
    .split(/\r\n|\r|\n/)
    .map(plain)
    .filter((line) => line !== '');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in a page, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
