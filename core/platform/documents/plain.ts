import { maskCardNumbers, PRINTED_TEXT } from '#shared/card-numbers';

/** Matches more combining marks on one letter than any language uses. They would overlap the lines around it. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Returns a text as one sanitized line: without control, format and direction characters and lone surrogates, and with card numbers reduced
 * to their last four digits. Not escaped for HTML: see `escapeHtml()`.
 */
export function plain(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]+/gu, '')
    // Full-width and mathematical digits may be part of a card number too.
    .replace(/\p{Nd}/gu, (digit) => digit.normalize('NFKC'))
    .replace(STACKED_MARKS, '$1')
    .replace(/\s+/gu, ' ');
  return maskCardNumbers(line, PRINTED_TEXT).trim();
}

/** Returns the lines of a text, each sanitized by `plain()`, without empty ones. */
export function plainLines(text: string | null | undefined): string[] {
  return (text ?? '')
    .split(/\r\n|\r|\n/)
    .map(plain)
    .filter((line) => line !== '');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for the content of an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
