import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURRENCY_CODES } from '#shared/currencies';
import { decimalText, fromMinor, toMinor } from '../../../renderer/base/money/index.ts';

test.each([
  [19.99, 'USD', 1999],
  [0.1, 'USD', 10],
  [1.005, 'KWD', 1005],
  [500, 'JPY', 500],
  [-3.5, 'USD', -350],
])('converts %d %s to %i minor units', (amount, currency, minor) => {
  expect(toMinor(amount, currency)).toBe(minor);
});

test('converts every amount of every currency back and forth', () => {
  const MOST = 10_000_000_000;
  fc.assert(
    fc.property(fc.integer({ min: -MOST, max: MOST }), fc.constantFrom(...CURRENCY_CODES), (minor, currency) => {
      expect(toMinor(fromMinor(minor, currency), currency)).toBe(minor);
      expect(Number(decimalText(minor, currency))).toBe(fromMinor(minor, currency));
    }),
  );
});
