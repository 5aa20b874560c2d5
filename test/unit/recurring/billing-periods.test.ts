import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateOfPeriod, datesOf, FREQUENCIES, firstPeriodFrom, lastPeriodUpTo } from '../../../core/billing/recurring/calendar.ts';

const open = { endDate: null, left: null } as const;

describe('the billing date of a period', () => {
  test.each([
    ['daily', '2027-02-27', ['2027-02-27', '2027-02-28', '2027-03-01']],
    ['weekly', '2027-12-27', ['2027-12-27', '2028-01-03', '2028-01-10']],
    ['biweekly', '2027-02-20', ['2027-02-20', '2027-03-06', '2027-03-20']],
    ['monthly', '2027-01-31', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    ['monthly', '2027-11-15', ['2027-11-15', '2027-12-15', '2028-01-15']],
    ['quarterly', '2027-11-30', ['2027-11-30', '2028-02-29', '2028-05-30']],
    ['semiannually', '2027-08-31', ['2027-08-31', '2028-02-29', '2028-08-31']],
    ['annually', '2028-02-29', ['2028-02-29', '2029-02-28', '2032-02-29'], [0, 1, 4]],
  ] as const)('bills at the frequency %s from the start %s', (frequency, anchor, expected, indexes: readonly number[] = []) => {
    expect(expected.map((_, at) => dateOfPeriod(anchor, frequency, indexes[at] ?? at))).toEqual(expected);
  });
});

describe('the periods around a date', () => {
  const day = fc.integer({ min: 19_723, max: 25_567 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

  test('finds the first period on or after a date and the last one on or before it', () => {
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
      { numRuns: 300 },
    );
  });

  test('counts a period on the date itself for both', () => {
    expect(firstPeriodFrom('2027-01-31', 'monthly', '2027-02-28')).toBe(1);
    expect(lastPeriodUpTo('2027-01-31', 'monthly', '2027-02-28')).toBe(1);
    expect(firstPeriodFrom('2027-01-31', 'monthly', '2027-03-01')).toBe(2);
    expect(lastPeriodUpTo('2027-01-31', 'monthly', '2027-02-27')).toBe(0);
  });

  test('finds no last period before the anchor date', () => {
    expect(lastPeriodUpTo('2027-01-31', 'monthly', '2027-01-30')).toBe(-1);
    expect(firstPeriodFrom('2027-01-31', 'weekly', '2020-01-01')).toBe(0);
  });
});

describe('the upcoming billing dates', () => {
  test('upcoming dates include the end date and nothing after it', () => {
    const course = { anchor: '2027-01-31', frequency: 'monthly', ...open } as const;
    expect(datesOf({ ...course, endDate: '2027-03-31' }, 0, 10)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31']);
    expect(datesOf({ ...course, endDate: '2027-03-30' }, 0, 10)).toEqual(['2027-01-31', '2027-02-28']);
  });

  test('limits upcoming dates to the requested count and to the remaining payments', () => {
    const course = { anchor: '2027-01-01', frequency: 'daily', ...open } as const;
    expect(datesOf(course, 2, 2)).toEqual(['2027-01-03', '2027-01-04']);
    expect(datesOf({ ...course, left: 1 }, 2, 2)).toEqual(['2027-01-03']);
    expect(datesOf({ ...course, left: 3 }, 2, 2)).toEqual(['2027-01-03', '2027-01-04']);
    expect(datesOf({ ...course, left: 0 }, 2, 2)).toEqual([]);
  });
});
