import { isBankHoliday } from '#shared/holidays';

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday. */
const THURSDAY = 4;

/** Returns the number of days since 1970-01-01 of a day YYYY-MM-DD. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/**
 * Returns the day that is `count` business days after a day: Monday to Friday, without the holidays of the currency's payment system. Both are
 * numbers of days.
 */
export function businessDaysAfter(day: number, count: number, currency: string): number {
  let at = day;
  for (let left = count; left > 0; ) {
    at += 1;
    const weekday = (at + THURSDAY) % 7;
    if (weekday !== 0 && weekday !== 6 && !isBankHoliday(currency, at)) left -= 1;
  }
  return at;
}

/** Business days within which a payout reaches the bank. Later, it counts as missing. */
export const TRANSIT_BUSINESS_DAYS = 5;

/** Returns the last day on which a payout of a day is expected at the bank. */
export const lastExpectedDay = (day: string, currency: string): string =>
  new Date(businessDaysAfter(dayNumber(day), TRANSIT_BUSINESS_DAYS, currency) * DAY_MS).toISOString().slice(0, 10);
