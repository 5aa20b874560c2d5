import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cashUnitOf, refundedCash, roundCash } from '#shared/cash-rounding';

const UNIT = fc.constantFrom(1, 5, 10, 50, 100);

describe('rounding of cash', () => {
  test.each([
    [1_002, 5, 1_000],
    [1_003, 5, 1_005],
    [1_049, 100, 1_000],
    [1_050, 100, 1_100],
    [25, 50, 50],
    [2, 5, 0],
    [1_002, 1, 1_002],
  ])('rounds %i to a multiple of %i', (minor, unit, rounded) => {
    expect(roundCash(minor, unit)).toBe(rounded);
  });

  test('belongs to one currency', () => {
    const francs = { currency: 'CHF', unit: 0.05 };
    expect([cashUnitOf(francs, 'CHF', 2), cashUnitOf(francs, 'EUR', 2), cashUnitOf(null, 'CHF', 2)]).toEqual([5, 1, 1]);
  });

  test('returns exactly the received cash in any number of refunds, whatever the rounding was at their times', () => {
    const refunds = fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), UNIT), { maxLength: 8 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), UNIT, refunds, (amount, unit, parts) => {
        const cash = roundCash(amount, unit);
        let [refunded, cashRefunded] = [0, 0];
        const earlier: { amount: number; rounding: number; inCash: boolean }[] = [];
        for (const [part, unitThen] of [...parts, [amount, unit] as const]) {
          const refund = Math.min(part, amount - refunded);
          if (refund === 0) continue;
          const returned = refundedCash({ amount, cash, refunds: earlier }, refund, unitThen);
          expect(returned).toBeGreaterThanOrEqual(0);
          expect(returned % unitThen).toBe(0);
          // Twice the largest coin of the refunds so far: one for the rounding now, and one for the rounding before.
          expect(Math.abs(returned - refund)).toBeLessThanOrEqual(200);
          earlier.push({ amount: refund, rounding: returned - refund, inCash: true });
          refunded += refund;
          cashRefunded += returned;
          expect(Math.abs(cashRefunded - refunded)).toBeLessThanOrEqual(200);
        }
        expect(refunded).toBe(amount);
        expect(cashRefunded).toBeLessThanOrEqual(cash);
        if (parts.every(([, unitThen]) => unitThen === unit)) expect(cashRefunded).toBe(cash);
      }),
      { numRuns: 500 },
    );
  });

  test('returns only payable cash beside refunds to store credit, and no coin more than was received', () => {
    const refunds = fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), UNIT, refunds, (amount, unit, parts) => {
        const cash = roundCash(amount, unit);
        const earlier: { amount: number; rounding: number; inCash: boolean }[] = [];
        let [refunded, returned] = [0, 0];
        for (const [part, inCash] of [...parts, [amount, true] as const]) {
          const refund = Math.min(part, amount - refunded);
          if (refund === 0) continue;
          const given = inCash ? refundedCash({ amount, cash, refunds: earlier }, refund, unit) : refund;
          if (inCash) expect(given % unit).toBe(0);
          earlier.push({ amount: refund, rounding: given - refund, inCash });
          refunded += refund;
          returned += given;
        }
        // Store credit gets the exact amount, which the rounding of the cash before does not know.
        expect(returned).toBeLessThanOrEqual(Math.max(cash, amount) + unit / 2);
      }),
      { numRuns: 500 },
    );
  });
});
