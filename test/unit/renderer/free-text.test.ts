import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCardInteger, maskCardNumbers, holdsCardNumber as serviceHolds } from '../../../core/kernel/card-numbers.ts';
import { holdsCardNumber, isCardNumberInFreeText } from '../../../renderer/card-entry/free-text.ts';

const CARDS = ['4111111111111111', '5105105105105100', '378282246310005', '6011111111111117', '4222222222222', '6304000000000000'];

const spaced = (number: string, separator: string) => number.replace(/(\d{4})(?=\d)/g, `$1${separator}`);

describe('Card numbers in free text', () => {
  test.each(CARDS)('finds %s alone, in a sentence, between letters and in groups', (number) => {
    for (const text of [
      number,
      `card ${number}.`,
      `a${number}b`,
      spaced(number, ' '),
      spaced(number, '-'),
      `${number} 123`,
      `12 ${number}`,
    ])
      expect([text, holdsCardNumber(text), serviceHolds(text)]).toEqual([text, true, true]);
  });

  test.each([
    '',
    'order 12345678',
    '4111111111111112',
    '9999999999999995',
    '14111111111111111',
    '4111  1111  1111  1111',
    '2026-11-23 07:24:44',
    '+12075550142',
    '550e8400-e29b-41d4-a416-446655440000',
    '6c84fb90-12c4-11e1-840d-7b25c5ee775a',
    'a4111111111111111deadbeef',
  ])('finds none in %j', (text) => {
    expect([holdsCardNumber(text), serviceHolds(text)]).toEqual([false, false]);
    expect(maskCardNumbers(text)).toBe(text);
  });

  test('decides as the service does, and leaves no card number in a masked text', () => {
    const part = fc.oneof(fc.constantFrom(...CARDS), fc.constantFrom(' ', '-', '  ', '.', 'x', 'deadbeef'), fc.stringMatching(/^\d{1,6}$/));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(holdsCardNumber(text)).toBe(serviceHolds(text));
        expect(serviceHolds(maskCardNumbers(text))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps the last four digits and the text around them', () => {
    expect(maskCardNumbers('card 4111 1111-1111 1111, thanks')).toBe('card ****1111, thanks');
    expect(maskCardNumbers('12 4111111111111111 and 5105105105105100')).toBe('12 ****1111 and ****5100');
  });

  test('recognizes a whole number that is a card number', () => {
    expect([4111111111111111, 411111111111111, 4111111111111112, 1.5, 5].map(isCardInteger)).toEqual([true, false, false, false, false]);
  });

  test('looks at fields for free text only', () => {
    const [value] = CARDS as [string];
    expect(isCardNumberInFreeText({ type: 'text', inputMode: '', value })).toBe(true);
    expect(isCardNumberInFreeText({ type: 'textarea', inputMode: 'text', value })).toBe(true);
    expect(isCardNumberInFreeText({ type: 'text', inputMode: 'numeric', value })).toBe(false);
    expect(isCardNumberInFreeText({ type: 'password', inputMode: '', value })).toBe(false);
    expect(isCardNumberInFreeText({ type: 'text', inputMode: '', value: '+6281234567895' })).toBe(false);
  });
});
