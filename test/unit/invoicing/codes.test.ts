import { expect, test } from 'vitest';
import { isPageToken, newPageToken, newShortCode, shortCodeFrom } from '../../../core/billing/invoicing/codes.ts';

test('creates unique page tokens of 130 bits', () => {
  const tokens = Array.from({ length: 500 }, newPageToken);
  expect(new Set(tokens).size).toBe(500);
  for (const token of tokens) expect(isPageToken(token)).toBe(true);
  for (const text of ['', 'x'.repeat(25), `${'x'.repeat(25)}%`, 'X'.repeat(26)]) expect(isPageToken(text)).toBe(false);
});

test('parses a short code as people type it', () => {
  const code = newShortCode();
  expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
  expect(shortCodeFrom(` ${code.toUpperCase()} `)).toBe(code);
  expect(shortCodeFrom('O0Il1abc')).toBe('00111abc');
  for (const text of ['', 'abc', 'abcdefghj', 'abc-efgh', "a' OR 1=1"]) expect(shortCodeFrom(text)).toBeNull();
});
