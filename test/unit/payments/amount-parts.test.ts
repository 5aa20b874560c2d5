import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#core/kernel';
import { type Parts, parseParts, splitParts, subtractParts, sumOfParts } from '../../../core/sales/payments/parts/parts.ts';

const USD = 'USD' as Currency;

/** A total with parts that do not exceed it. */
const total = fc
  .tuple(fc.nat(10_000_000), fc.nat(500_000), fc.nat(500_000), fc.nat(500_000))
  .filter(([base, ...parts]) => base + parts.reduce((sum, part) => sum + part, 0) > 0)
  .map(([base, tip, surcharge, tax]) => ({ amount: base + tip + surcharge + tax, parts: { tip, surcharge, tax } }));

const baseOf = (amount: number, parts: Parts) => amount - sumOfParts(parts);

describe('splitting an amount into tip, surcharge, tax and base', () => {
  test('gives every part its share of refunds, which add up to the part exactly', () => {
    fc.assert(
      fc.property(total, fc.array(fc.nat(3_000_000), { maxLength: 12 }), ({ amount, parts }, refunds) => {
        let left = { amount, parts };
        for (const wanted of [...refunds, amount]) {
          const refund = Math.min(wanted, left.amount);
          if (refund === 0) continue;
          const share = splitParts(refund, left.amount, left.parts);
          for (const part of [share.tip, share.surcharge, share.tax, baseOf(refund, share)]) expect(part).toBeGreaterThanOrEqual(0);
          left = { amount: left.amount - refund, parts: subtractParts(left.parts, share) };
          for (const part of [left.parts.tip, left.parts.surcharge, left.parts.tax, baseOf(left.amount, left.parts)])
            expect(part).toBeGreaterThanOrEqual(0);
        }
        expect(left).toEqual({ amount: 0, parts: { tip: 0, surcharge: 0, tax: 0 } });
      }),
    );
  });

  test('differs from the exact proportion by less than three cents', () => {
    fc.assert(
      fc.property(total, fc.double({ min: 0, max: 1, noNaN: true }), ({ amount, parts }, share) => {
        const refund = Math.floor(amount * share);
        const split = splitParts(refund, amount, parts);
        for (const name of ['tip', 'surcharge', 'tax'] as const)
          expect(Math.abs(split[name] - (parts[name] * refund) / amount)).toBeLessThan(3);
      }),
    );
  });

  test.each<[amount: number, total: number, parts: Parts, split: Parts]>([
    [50_00, 100_00, { tip: 10_00, surcharge: 3_00, tax: 5_00 }, { tip: 5_00, surcharge: 1_50, tax: 2_50 }],
    [33_33, 100_00, { tip: 10_00, surcharge: 0, tax: 0 }, { tip: 3_33, surcharge: 0, tax: 0 }],
    [1, 100_00, { tip: 99_00, surcharge: 0, tax: 0 }, { tip: 0, surcharge: 0, tax: 0 }],
    [1, 3, { tip: 1, surcharge: 1, tax: 1 }, { tip: 0, surcharge: 0, tax: 1 }],
    [2, 3, { tip: 1, surcharge: 1, tax: 1 }, { tip: 0, surcharge: 1, tax: 1 }],
    [100_00, 100_00, { tip: 10_00, surcharge: 3_00, tax: 5_00 }, { tip: 10_00, surcharge: 3_00, tax: 5_00 }],
  ])('splits %i of %i with %j into %j', (amount, whole, parts, split) => {
    expect(splitParts(amount, whole, parts)).toEqual(split);
  });
});

describe('reading the parts of a request', () => {
  test('takes numbers and decimal strings, and 0 for an absent part', () => {
    expect(parseParts({ tipAmount: '2.50', taxAmount: 1 }, money(10_00, USD))).toEqual({ tip: 2_50, surcharge: 0, tax: 1_00 });
    expect(parseParts({ tipAmount: 0, surchargeAmount: '0.00' }, money(10_00, USD))).toEqual({ tip: 0, surcharge: 0, tax: 0 });
  });

  test.each([{ tipAmount: -1 }, { taxAmount: '1.999' }, { surchargeAmount: 'x' }, { tipAmount: 6, taxAmount: 4.01 }])(
    'refuses %j within an amount of 10.00',
    (parts) => {
      expect(() => parseParts(parts, money(10_00, USD))).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
    },
  );
});
