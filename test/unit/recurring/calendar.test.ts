import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FREQUENCIES, type Frequency } from '#core/billing/recurring';
import { dateOfPeriod, datesOf, firstPeriodFrom, lastPeriodUpTo } from '../../../core/billing/recurring/calendar.ts';
import { sized } from '../../support/tier.ts';

const dates = (anchor: string, frequency: Frequency, count: number) => datesOf({ anchor, frequency, endDate: null, left: null }, 0, count);

describe('the calendar of a subscription', () => {
  test.each([
    ['monthly', '2027-01-31', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
    ['monthly', '2027-12-30', ['2027-12-30', '2028-01-30', '2028-02-29', '2028-03-30']],
    ['quarterly', '2027-11-30', ['2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30']],
    ['semiannually', '2027-08-31', ['2027-08-31', '2028-02-29', '2028-08-31']],
    ['annually', '2028-02-29', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['daily', '2027-02-27', ['2027-02-27', '2027-02-28', '2027-03-01']],
    ['weekly', '2027-12-27', ['2027-12-27', '2028-01-03', '2028-01-10']],
    ['biweekly', '2027-02-20', ['2027-02-20', '2027-03-06', '2027-03-20']],
  ] as const)('computes the dates of the frequency %s from %s', (frequency, anchor, expected) => {
    expect(dates(anchor, frequency, expected.length)).toEqual(expected);
  });

  test('charges on the end date and not later, and stops after the number of payments', () => {
    const course = { anchor: '2027-01-31', frequency: 'monthly', endDate: '2027-03-31', left: null } as const;
    expect(datesOf(course, 0, 10)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31']);
    expect(datesOf({ ...course, endDate: '2027-03-30' }, 0, 10)).toEqual(['2027-01-31', '2027-02-28']);
    expect(datesOf({ ...course, left: 2 }, 1, 10)).toEqual(['2027-02-28', '2027-03-31']);
  });

  const day = fc
    .integer({ min: Date.parse('2024-01-01') / 86_400_000, max: Date.parse('2040-01-01') / 86_400_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

  test('has ascending periods, and finds the period of any date', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...FREQUENCIES), day, fc.nat({ max: 30 }), (anchor, frequency, date, from) => {
        const first = firstPeriodFrom(anchor, frequency, date, from);
        expect(first).toBeGreaterThanOrEqual(from);
        expect(dateOfPeriod(anchor, frequency, first) >= date).toBe(true);
        if (first > from) expect(dateOfPeriod(anchor, frequency, first - 1) < date).toBe(true);
        const last = lastPeriodUpTo(anchor, frequency, date);
        expect(dateOfPeriod(anchor, frequency, last + 1) > date).toBe(true);
        if (last >= 0) expect(dateOfPeriod(anchor, frequency, last) <= date).toBe(true);
      }),
      { numRuns: sized(500, 5_000) },
    );
  });
});
