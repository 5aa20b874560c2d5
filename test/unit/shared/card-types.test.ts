import validator from 'card-validator';
import { describe, expect, it } from 'vitest';
import { cardTypeOf, hasCorrectCheckDigit, isCardNumberOf } from '../../../shared/card-types.ts';

/** Numbers at the beginning and end of every range of the library, and others in between, of 12 to 19 digits with and without a correct check digit. */
function* numbers(): Generator<string> {
  for (let range = 0; range < 100; range += 1) {
    for (const middle of ['000000', '123456', '505060', '611099', '999999']) {
      const start = `${String(range).padStart(2, '0')}${middle}`;
      for (let length = 12; length <= 19; length += 1) {
        const body = `${start}40817263549`.slice(0, length - 1);
        for (let last = 0; last <= 9; last += 1) yield `${body}${last}`;
      }
    }
  }
}

const check = (digits: string) => {
  const card = cardTypeOf(digits);
  return { type: card?.type, isValid: card !== null && isCardNumberOf(card, digits) };
};

describe('card types', () => {
  it('agrees with the library of card ranges about types and valid numbers, except those of 13 digits', () => {
    let valid = 0;
    for (const digits of numbers()) {
      const { card, ...validity } = validator.number(digits);
      const isValid = validity.isValid && digits.length !== 13;
      const expected = { type: card?.type, isValid };
      if (check(digits).type !== expected.type || check(digits).isValid !== isValid)
        expect({ digits, ...check(digits) }).toEqual({ digits, ...expected });
      if (isValid) valid += 1;
    }
    expect(valid).toBeGreaterThan(500);
  });

  it('tells apart ranges that differ in their eighth digit', () => {
    const digits = ['6370951000000000', '6374242300000000', '6374232300000000', '6508370300000000', '6508370500000000'];
    expect(digits.map((each) => cardTypeOf(each)?.type)).toEqual(digits.map((each) => validator.number(each).card?.type));
    expect(cardTypeOf('6508370300000000')?.type).toBe('troy');
    expect(cardTypeOf('6508370500000000')?.type).toBe('discover');
  });

  it('finds the type of first digits, and none for an empty text', () => {
    expect(cardTypeOf('411111')?.type).toBe('visa');
    expect(cardTypeOf('')).toBeNull();
  });

  it('checks the last digit by Luhn', () => {
    expect(hasCorrectCheckDigit('4111111111111111')).toBe(true);
    expect(hasCorrectCheckDigit('4111111111111112')).toBe(false);
  });
});
