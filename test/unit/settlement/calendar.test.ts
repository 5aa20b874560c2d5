import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutoffAfter, feeOf } from '#core/books/settlement';
import { type Currency, dateIn, instantOn, money } from '#core/kernel';
import { sized } from '../../support/tier.ts';

const NEW_YORK = 'America/New_York';
const rule = (more: object = {}) => ({ frequency: 'daily' as const, cutoff_time: '00:00', weekday: 1, day_of_month: 1, ...more });
const next = (input: ReturnType<typeof rule>, zone: string, after: string) =>
  new Date(cutoffAfter(input, zone, Date.parse(after)) ?? 0).toISOString();

describe('the next cutoff', () => {
  test.each([
    ['a cutoff at midnight', rule(), '2026-11-21T12:00:00Z', '2026-11-22T05:00:00.000Z'],
    ['the instant of a cutoff, which counts as passed', rule(), '2026-11-22T05:00:00.000Z', '2026-11-23T05:00:00.000Z'],
    ['a cutoff later today', rule({ cutoff_time: '17:30' }), '2026-11-21T12:00:00Z', '2026-11-21T22:30:00.000Z'],
    ['a cutoff tomorrow', rule({ cutoff_time: '17:30' }), '2026-11-21T23:00:00Z', '2026-11-22T22:30:00.000Z'],
    ['the day when the clocks go forward', rule({ cutoff_time: '02:30' }), '2026-03-08T06:00:00Z', '2026-03-08T07:00:00.000Z'],
    ['a time in the gap between two quarters', rule({ cutoff_time: '02:07' }), '2026-03-08T06:00:00Z', '2026-03-08T07:00:00.000Z'],
    ['the day when the clocks go back', rule({ cutoff_time: '01:30' }), '2026-11-01T04:00:00Z', '2026-11-01T05:30:00.000Z'],
    ['midnight of a day of 25 hours', rule(), '2026-11-01T05:00:00Z', '2026-11-02T05:00:00.000Z'],
    ['a weekly cutoff on Monday', rule({ frequency: 'weekly' }), '2026-11-21T12:00:00Z', '2026-11-23T05:00:00.000Z'],
    ['a weekly cutoff on Sunday', rule({ frequency: 'weekly', weekday: 7 }), '2026-11-21T12:00:00Z', '2026-11-22T05:00:00.000Z'],
    ['a monthly cutoff', rule({ frequency: 'monthly' }), '2026-11-21T12:00:00Z', '2026-12-01T05:00:00.000Z'],
    [
      'a monthly cutoff in a shorter month',
      rule({ frequency: 'monthly', day_of_month: 31 }),
      '2026-02-01T12:00:00Z',
      '2026-02-28T05:00:00.000Z',
    ],
  ])('computes the next cutoff for %s', (_, input, after, wanted) => {
    expect(next(input, NEW_YORK, after)).toBe(wanted);
  });

  test('computes no next cutoff for manual settlements', () => {
    expect(cutoffAfter(rule({ frequency: 'manual' }) as never, NEW_YORK, 0)).toBeNull();
  });

  const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia'];
  test('has one cutoff per day of a year, on its own date', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 95 }),
        fc.integer({ min: 2020, max: 2035 }),
        (zone, quarter, year) => {
          const time = `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
          const input = rule({ cutoff_time: time });
          let at = Date.UTC(year, 0, 1);
          const days: string[] = [];
          while (at < Date.UTC(year + 1, 0, 1)) {
            at = cutoffAfter(input, zone, at) ?? Number.POSITIVE_INFINITY;
            days.push(dateIn(zone, at));
          }
          expect(new Set(days).size).toBe(days.length);
          expect(days.length).toBeGreaterThanOrEqual(364);
          expect(days).toEqual(days.toSorted());
        },
      ),
      { numRuns: sized(12, 200) },
    );
  });

  test('never places a time before its day, and shows the requested time except in a clock change', () => {
    expect(new Date(instantOn('America/Santiago', '2026-09-06', '00:00')).toISOString()).toBe('2026-09-06T04:00:00.000Z');
    expect(new Date(instantOn('Europe/Berlin', '2026-03-29', '02:15')).toISOString()).toBe('2026-03-29T01:00:00.000Z');
    expect(new Date(instantOn('Europe/Berlin', '2026-10-25', '02:15')).toISOString()).toBe('2026-10-25T00:15:00.000Z');
  });
});

describe('the fee of a payment', () => {
  const usd = (minor: number) => money(minor, 'USD' as Currency);
  const card = { percent: 2.9, fixed: 0.3, cap: null };
  const ach = { percent: 0.8, fixed: 0, cap: 5 };

  test.each([
    [100_00, card, 320],
    [10_00, card, 59],
    [50, card, 31],
    [17_24, card, 80],
    [100_00, ach, 80],
    [10_000_00, ach, 500],
    [625_00, ach, 500],
    [1, { percent: 0, fixed: 0, cap: null }, 0],
    [1_00, { percent: 0.5, fixed: 0, cap: null }, 1],
  ])('computes the fee of %i cents', (minor, rate, fee) => {
    expect(feeOf(usd(minor), rate).minor).toBe(fee);
  });

  test('computes fees of currencies with no and with three decimals', () => {
    expect(feeOf(money(10_000, 'JPY' as Currency), card).minor).toBe(290);
    expect(feeOf(money(10_000, 'KWD' as Currency), card).minor).toBe(590);
  });

  test('never falls as the amount grows, and is within half a cent of the exact fee', () => {
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
