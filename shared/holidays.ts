const DAY_MS = 86_400_000;

/** Days of the week, as in `Date`. */
const MONDAY = 1;
const THURSDAY = 4;
const FRIDAY = 5;

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

type Holidays = (year: number) => number[];

/** Returns the times of days MM-DD of a year. */
const on = (year: number, ...days: readonly string[]) => days.map((day) => time(year, Number(day.slice(0, 2)), Number(day.slice(3))));
/** Returns the times of days that are counted from Easter Sunday. */
const easter = (year: number, ...days: readonly number[]) => days.map((each) => easterOf(year) + each * DAY_MS);

/** Returns the times of days MM-DD; one on a Sunday is moved to Monday. */
const fromSunday = (year: number, ...days: readonly string[]) => on(year, ...days).map((ms) => (weekdayOf(ms) === 0 ? ms + DAY_MS : ms));

/** Returns the times of days MM-DD in their order; one on a weekend is moved to the next weekday that is no holiday. */
function fromWeekend(year: number, ...days: readonly string[]): number[] {
  const found: number[] = [];
  for (const day of on(year, ...days)) {
    let ms = day;
    while (weekdayOf(ms) % 6 === 0 || found.includes(ms)) ms += DAY_MS;
    found.push(ms);
  }
  return found;
}

/** Holidays of the United States, as the Federal Reserve Banks observe them. One on a Saturday is not moved. */
const unitedStates: Holidays = (year) => [
  ...fromSunday(year, '01-01', '07-04', '11-11', '12-25', ...(year >= 2022 ? ['06-19'] : [])),
  nthWeekday(year, 1, MONDAY, 3),
  nthWeekday(year, 2, MONDAY, 3),
  nthWeekday(year, 5, MONDAY, -1),
  nthWeekday(year, 9, MONDAY, 1),
  nthWeekday(year, 10, MONDAY, 2),
  nthWeekday(year, 11, THURSDAY, 4),
];

/** Closing days of the payment system of a currency. Those of the European TARGET are not moved. */
const OF_CURRENCY: Readonly<Record<string, Holidays>> = {
  USD: unitedStates,
  EUR: (year) => [...on(year, '01-01', '05-01', '12-25', '12-26'), ...easter(year, -2, 1)],
};

const may25 = (year: number) => time(year, 5, 25);
/** Day of St. Brigid: a Friday, or else the first Monday of February. */
const brigid = (year: number) => (weekdayOf(time(year, 2, 1)) === FRIDAY ? time(year, 2, 1) : nthWeekday(year, 2, MONDAY, 1));

/** Public holidays of a whole country, by its ISO 3166 code. Those of its regions are not part of it; those of the United Kingdom are of England and Wales. */
const OF_COUNTRY: Readonly<Record<string, Holidays>> = {
  US: unitedStates,
  CA: (year) => [
    ...fromWeekend(year, '01-01', '07-01', '09-30', '11-11', '12-25', '12-26'),
    ...easter(year, -2),
    may25(year) - (((weekdayOf(may25(year)) + 5) % 7) + 1) * DAY_MS,
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, 2),
  ],
  MX: (year) => [
    ...on(year, '01-01', '05-01', '09-16', '12-25', ...((year - 2024) % 6 === 0 ? ['10-01'] : [])),
    nthWeekday(year, 2, MONDAY, 1),
    nthWeekday(year, 3, MONDAY, 3),
    nthWeekday(year, 11, MONDAY, 3),
  ],
  GB: (year) => [
    ...fromWeekend(year, '01-01', '12-25', '12-26'),
    ...easter(year, -2, 1),
    nthWeekday(year, 5, MONDAY, 1),
    nthWeekday(year, 5, MONDAY, -1),
    nthWeekday(year, 8, MONDAY, -1),
  ],
  IE: (year) => [
    ...on(year, '01-01', '03-17', '12-25', '12-26'),
    ...easter(year, 1),
    brigid(year),
    nthWeekday(year, 5, MONDAY, 1),
    nthWeekday(year, 6, MONDAY, 1),
    nthWeekday(year, 8, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, -1),
  ],
  AU: (year) => [...fromWeekend(year, '01-01', '01-26', '12-25', '12-26'), ...on(year, '04-25'), ...easter(year, -2, 1)],
  ES: (year) => [...on(year, '01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'), ...easter(year, -2)],
  PT: (year) => [
    ...on(year, '01-01', '04-25', '05-01', '06-10', '08-15', '10-05', '11-01', '12-01', '12-08', '12-25'),
    ...easter(year, -2, 60),
  ],
  FR: (year) => [...on(year, '01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'), ...easter(year, 1, 39, 50)],
  BE: (year) => [...on(year, '01-01', '05-01', '07-21', '08-15', '11-01', '11-11', '12-25'), ...easter(year, 1, 39, 50)],
  NL: (year) => [...on(year, '01-01', '04-27', '12-25', '12-26'), ...easter(year, 1, 39, 50)],
  DE: (year) => [...on(year, '01-01', '05-01', '10-03', '12-25', '12-26'), ...easter(year, -2, 1, 39, 50)],
  AT: (year) => [
    ...on(year, '01-01', '01-06', '05-01', '08-15', '10-26', '11-01', '12-08', '12-25', '12-26'),
    ...easter(year, 1, 39, 50, 60),
  ],
  IT: (year) => [
    ...on(year, '01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '10-04', '11-01', '12-08', '12-25', '12-26'),
    ...easter(year, 1),
  ],
};

const known = new Map<Holidays, Map<number, ReadonlySet<number>>>();

function isIn(holidays: Holidays | undefined, ms: number): boolean {
  if (!holidays) return false;
  const year = new Date(ms).getUTCFullYear();
  const years = known.get(holidays) ?? new Map<number, ReadonlySet<number>>();
  const days = years.get(year) ?? new Set(holidays(year));
  known.set(holidays, years.set(year, days));
  return days.has(ms);
}

/** Returns true if the payment system of a currency is closed on a day from Monday to Friday. Days are numbered from 1970-01-01. */
export const isBankHoliday = (currency: string, day: number): boolean => isIn(OF_CURRENCY[currency], day * DAY_MS);

/** Returns true if a day YYYY-MM-DD is a public holiday in the whole country; false for countries whose holidays are not known. */
export const isPublicHoliday = (country: string, day: string): boolean => isIn(OF_COUNTRY[country], Date.parse(`${day}T00:00:00Z`));
