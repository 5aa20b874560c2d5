import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../core/processing/gateways/redaction.ts';

test.each([
  '4111111111111111',
  '4111 1111-1111 1111',
  '4111\n1111\n1111\n1111',
  '4111\r\n1111\t1111 \u00001111',
  '4111 \n 1111  1111\u00a01111',
  '4111\u200b1111\u200b1111\u200b1111',
])('redacts a card number in every spelling: %j', (written) => {
  expect(withoutSecrets(`Card ${written} was refused`, [])).toBe('Card [card number] was refused');
});

test('removes secrets, the longest first, and limits the text to one line and its maximum length', () => {
  expect(withoutSecrets('key abcdef\nand abc', ['abc', 'abcdef'])).toBe('key [redacted] and [redacted]');
  expect(withoutSecrets('x'.repeat(300), [])).toHaveLength(200);
  expect(withoutSecrets('٣'.repeat(4_000_000), [])).toBe('[card number]');
});
