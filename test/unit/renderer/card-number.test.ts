import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cardNumberProblem,
  digitsOf,
  groupCardNumber,
  readCardNumber,
  securityCodeLength,
} from '../../../renderer/shared/card-entry/card-number.ts';
import { reformat } from '../../../renderer/shared/card-entry/typed-text.ts';

const CONTRACT_CARDS = [
  '4111111111111111',
  '4242424242424242',
  '5555555555554444',
  '378282246310005',
  '6011111111111117',
  '4000000000000002',
  '4000000000000069',
  '4000000000000119',
  '4000000000000127',
  '4000000000000036',
  '4100000000000019',
  '4000000000009995',
  '4000000000005126',
  '4000000000007726',
  '4000000000006975',
  '4000000000006983',
  '4000000000006991',
  '2223003122003222',
];

describe('a card number while it is typed', () => {
  test.each(CONTRACT_CARDS)('%s is complete at its last digit and not before', (number) => {
    for (let length = 1; length < number.length; length += 1) {
      const { finished, state } = readCardNumber(number.slice(0, length));
      expect([finished, state]).toEqual([false, 'typing']);
    }
    expect(readCardNumber(number)).toMatchObject({ finished: true, state: 'valid' });
  });

  test('accepts a wrong last digit until the number is complete, and then reports it', () => {
    expect(readCardNumber('411111111111111').state).toBe('typing');
    expect(readCardNumber('4111111111111112').finished).toBe(false);
    expect(cardNumberProblem('4111111111111112')).toBe('A digit is wrong: compare the number with the card.');
    expect(cardNumberProblem('')).toBe('Enter the card number.');
    expect(cardNumberProblem('4111')).toContain('too short');
  });

  test('groups digits and sets the length of the security code by brand', () => {
    expect(groupCardNumber('4111111111111111')).toBe('4111 1111 1111 1111');
    expect(groupCardNumber('378282246310005')).toBe('3782 822463 10005');
    expect(securityCodeLength(readCardNumber('378282246310005').brand)).toBe(4);
    expect(securityCodeLength(readCardNumber('4111').brand)).toBe(3);
    expect(securityCodeLength(null)).toBe(3);
  });

  test('accepts pasted numbers in any spacing, and formats them idempotently', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CONTRACT_CARDS),
        fc.array(fc.constantFrom('', ' ', '-', '  ', '\t', '.'), { minLength: 16, maxLength: 16 }),
        (number, gaps) => {
          const pasted = [...number].map((digit, index) => digit + (gaps[index] ?? '')).join('');
          const grouped = groupCardNumber(pasted);
          expect(digitsOf(grouped)).toBe(number);
          expect(groupCardNumber(grouped)).toBe(grouped);
        },
      ),
    );
  });

  test('keeps the caret after the same digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9 -]{0,24}$/), fc.nat(24), (text, at) => {
        const caret = Math.min(at, text.length);
        const laid = reformat({ text, caret }, groupCardNumber);
        const before = digitsOf(text.slice(0, caret)).length;
        expect(digitsOf(laid.text.slice(0, laid.caret)).length).toBe(Math.min(before, digitsOf(laid.text).length));
      }),
    );
  });
});
