import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#core/kernel';
import { feeOf } from '../../../core/books/settlement/fees.ts';

const usd = (minor: number) => money(minor, 'USD' as Currency);
const card = { percent: 2.9, fixed: 0.3, cap: null };
const ach = { percent: 0.8, fixed: 0, cap: 5 };
const percent = (percentage: number) => ({ percent: percentage, fixed: 0, cap: null });

describe('the fee of a payment', () => {
  test.each([
    ['adds the percentage and the fixed part', 100_00, card, 320],
    ['rounds half a cent up', 50, percent(1), 1],
    ['rounds less than half a cent down', 49, percent(1), 0],
    ['rounds once, not the parts', 50, { percent: 0.5, fixed: 0.0025, cap: null }, 1],
    ['stays below the cap', 624_99, ach, 500],
    ['reaches the cap exactly', 625_00, ach, 500],
    ['is limited by the cap', 10_000_00, ach, 500],
    ['is limited to nothing by a cap of zero', 100_00, { percent: 1, fixed: 0, cap: 0 }, 0],
    ['is the fixed part without a percentage', 1, { percent: 0, fixed: 0.25, cap: null }, 25],
    ['is nothing without a rate', 1_00, percent(0), 0],
    ['reads rates with six decimals', 1_000_000_00, percent(0.000001), 1],
  ])('the fee %s', (_, minor, rate, fee) => {
    expect(feeOf(usd(minor), rate)).toEqual(usd(fee));
  });

  test('charges the fee in the currency of the payment, with its decimals', () => {
    expect(feeOf(money(10_000, 'JPY' as Currency), { percent: 1, fixed: 30, cap: null })).toEqual(money(130, 'JPY' as Currency));
    expect(feeOf(money(10_000, 'KWD' as Currency), card)).toEqual(money(590, 'KWD' as Currency));
    expect(feeOf(money(1_000_000, 'KWD' as Currency), { percent: 1, fixed: 0, cap: 5 })).toEqual(money(5_000, 'KWD' as Currency));
  });

  test('the fee never falls while the amount grows, and is within half a cent of the exact fee', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 10_000 }), (minor, basisPoints) => {
        const rate = { percent: basisPoints / 100, fixed: 0.3, cap: null };
        const fee = feeOf(usd(minor), rate).minor;
        expect(feeOf(usd(minor + 1), rate).minor).toBeGreaterThanOrEqual(fee);
        // Exact to a ten-thousandth of a cent.
        expect(Math.abs(fee * 10_000 - (minor * basisPoints + 300_000))).toBeLessThanOrEqual(5_000);
      }),
    );
  });
});
