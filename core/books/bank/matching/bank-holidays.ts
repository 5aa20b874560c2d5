const DAY_MS = 86_400_000;

/** Days of the week, as in `Date`. */
const MONDAY = 1;
const THURSDAY = 4;

const time = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day);
const weekdayOf = (ms: number) => new Date(ms).getUTCDay();

/** Returns the time of the nth weekday of a month; the last one for -1. */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  if (nth < 0) {
    const last = time(year, month + 1, 0);
    return last - ((weekdayOf(last) - weekday + 7) % 7) * DAY_MS;
  }
  const first = time(year, month, 1);
  return first + (((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7) * DAY_MS;
}

/** Returns the time of Easter Sunday in the Gregorian calendar (Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const epact =
    (19 * golden + century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const sum = epact + weekday - 7 * correction + 114;
  return time(year, Math.floor(sum / 31), (sum % 31) + 1);
}

/** Holidays of the Federal Reserve Banks. One on a Sunday is observed on Monday; one on a Saturday is not moved. */
function federalReserve(year: number): number[] {
  const fixed = [time(year, 1, 1), time(year, 7, 4), time(year, 11, 11), time(year, 12, 25)];
  if (year >= 2022) fixed.push(time(year, 6, 19));
  return [
    ...fixed.map((ms) => (weekdayOf(ms) === 0 ? ms + DAY_MS : ms)),
    nthWeekday(year, 1, MONDAY, 3),
    nthWeekday(year, 2, MONDAY, 3),
    nthWeekday(year, 5, MONDAY, -1),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, 2),
    nthWeekday(year, 11, THURSDAY, 4),
  ];
}

/** Closing days of the European payment system TARGET. They are not moved. */
function target(year: number): number[] {
  const easter = easterOf(year);
  const movable = [easter - 2 * DAY_MS, easter + DAY_MS];
  return [time(year, 1, 1), ...movable, time(year, 5, 1), time(year, 12, 25), time(year, 12, 26)];
}

const CALENDARS: Readonly<Record<string, (year: number) => number[]>> = { USD: federalReserve, EUR: target };
const known = new Map<string, ReadonlySet<number>>();

/** Returns true if the payment system of a currency is closed on a day from Monday to Friday. Days are numbered from 1970-01-01. */
export function isBankHoliday(currency: string, day: number): boolean {
  const calendar = CALENDARS[currency];
  if (!calendar) return false;
  const year = new Date(day * DAY_MS).getUTCFullYear();
  const key = `${currency} ${year}`;
  const days = known.get(key) ?? new Set(calendar(year).map((ms) => ms / DAY_MS));
  known.set(key, days);
  return days.has(day);
}
