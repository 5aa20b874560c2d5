import { describe, expect, test } from 'vitest';
import { isBankHoliday } from '#shared/holidays';
import { dayNumber, lastExpectedDay } from '../../../core/books/bank/matching/business-days.ts';

/** Returns the holidays of a year from Monday to Friday, as month and day. */
function weekdayHolidays(currency: string, year: number): string[] {
  const found: string[] = [];
  for (let day = dayNumber(`${year}-01-01`); day <= dayNumber(`${year}-12-31`); day += 1) {
    const date = new Date(day * 86_400_000);
    if (isBankHoliday(currency, day) && date.getUTCDay() % 6 !== 0) found.push(date.toISOString().slice(5, 10));
  }
  return found;
}

describe('bank holidays', () => {
  test.each([
    [2021, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
    [2023, '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
  ])('of the Federal Reserve in %i move from Sunday to Monday, and not from Saturday', (year, days) => {
    expect(weekdayHolidays('USD', year).join(' ')).toBe(days);
  });

  test.each([
    [2008, '01-01 03-21 03-24 05-01 12-25 12-26'],
    [2026, '01-01 04-03 04-06 05-01 12-25'],
    [2027, '01-01 03-26 03-29'],
    [2038, '01-01 04-23 04-26'],
  ])('of TARGET in %i follow Easter and are not moved', (year, days) => {
    expect(weekdayHolidays('EUR', year).join(' ')).toBe(days);
  });

  test('extend the days within which a payout is expected, in the currency that has them', () => {
    expect(lastExpectedDay('2026-11-20', 'USD')).toBe('2026-11-30');
    expect(lastExpectedDay('2026-11-20', 'EUR')).toBe('2026-11-27');
    expect(lastExpectedDay('2026-04-02', 'EUR')).toBe('2026-04-13');
    expect(lastExpectedDay('2026-04-02', 'JPY')).toBe('2026-04-09');
  });
});
