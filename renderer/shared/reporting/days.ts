import { addDays, dateFormat } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { datedDay } from '#renderer/kit/ui';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const MONTH_DAYS_MAX = 31;

/** Two calendar days of the merchant, YYYY-MM-DD, both inclusive. */
export interface Days {
  readonly startDate: string;
  readonly endDate: string;
}

export const PERIODS = [
  { id: '7-days', name: t('7 days') },
  { id: '30-days', name: t('30 days') },
  { id: '90-days', name: t('90 days') },
  { id: 'month', name: t('This month') },
  { id: 'year', name: t('This year') },
] as const;
export type Period = (typeof PERIODS)[number]['id'];

const LENGTHS: Readonly<Partial<Record<Period, number>>> = { '7-days': 7, '30-days': 30, '90-days': 90 };

/** Returns the same weekday of the previous week. */
export const weekBefore = (day: string) => addDays(day, -WEEK_DAYS);

/** Returns the days of a named period until today. */
export function daysOf(period: Period, today: string): Days {
  const length = LENGTHS[period];
  if (length !== undefined) return { startDate: addDays(today, 1 - length), endDate: today };
  return {
    startDate: `${period === 'month' ? today.slice(0, 7) : today.slice(0, 4)}${period === 'month' ? '-01' : '-01-01'}`,
    endDate: today,
  };
}

/** Returns the last day of the month of a date. */
function monthEnd(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** Returns the previous or next period of the same length, never beyond today. Whole months and years shift by month and year. */
export function shiftedPeriod({ startDate, endDate }: Days, direction: 1 | -1, today: string): Days | undefined {
  const next = shiftWithoutLimit({ startDate, endDate }, direction, today);
  if (next.startDate > today) return undefined;
  return { startDate: next.startDate, endDate: earlierOf(next.endDate, today) };
}

function shiftWithoutLimit({ startDate, endDate }: Days, direction: 1 | -1, today: string): Days {
  const isWhole = (end: string) => endDate === end || endDate === today;
  const year = startDate.slice(0, 4);
  if (startDate.endsWith('-01-01') && endDate.startsWith(year) && isWhole(`${year}-12-31`)) {
    const other = String(Number(year) + direction);
    return { startDate: `${other}-01-01`, endDate: `${other}-12-31` };
  }
  if (startDate.endsWith('-01') && endDate.slice(0, 7) === startDate.slice(0, 7) && isWhole(monthEnd(startDate))) {
    const other = direction === 1 ? addDays(monthEnd(startDate), 1) : `${addDays(startDate, -1).slice(0, 7)}-01`;
    return { startDate: other, endDate: monthEnd(other) };
  }
  const length = Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS) + 1;
  return { startDate: addDays(startDate, direction * length), endDate: addDays(endDate, direction * length) };
}

/**
 * Returns the period that a report is compared with: the days before it, or the same dates of the previous year. A period that starts with a
 * month or year is compared with the start of the previous one, so both have the same number of days where the calendar allows it.
 */
export function comparedDays({ startDate, endDate }: Days, other: 'previous' | 'year'): Days {
  const length = Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS);
  const start = other === 'year' ? yearBefore(startDate) : previousStart(startDate, length);
  return { startDate: start, endDate: earlierOf(addDays(start, length), addDays(startDate, -1)) };
}

function previousStart(startDate: string, length: number): string {
  if (startDate.endsWith('-01-01') && length > MONTH_DAYS_MAX) return yearBefore(startDate);
  if (startDate.endsWith('-01') && length < MONTH_DAYS_MAX) return `${addDays(startDate, -1).slice(0, 7)}-01`;
  return addDays(startDate, -1 - length);
}

/** Returns the same date of the previous year; Feb 29 becomes Feb 28. */
function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1);
  return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`;
}

/** Formats a period: "Nov 21, 2026", "Nov 1 to Nov 21, 2026". */
export function daysText({ startDate, endDate }: Days): string {
  if (startDate === endDate) return datedDay(startDate);
  const isOneYear = startDate.slice(0, 4) === endDate.slice(0, 4);
  return t('{{start}} to {{end}}', { start: isOneYear ? shortDay(startDate) : datedDay(startDate), end: datedDay(endDate) });
}

const formatDay = (day: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat({ timeZone: 'UTC', ...options }).format(new Date(`${day}T00:00:00Z`));

/** "Nov 21". */
export const shortDay = (day: string) => formatDay(day, { month: 'short', day: 'numeric' });
/** "Sat, Nov 21". */
export const weekdayText = (day: string) => formatDay(day, { weekday: 'short', month: 'short', day: 'numeric' });
/** "Monday". */
export const weekdayName = (day: string) => formatDay(day, { weekday: 'long' });
/** "Nov 2026", of a month as YYYY-MM. */
export const monthText = (month: string) => formatDay(`${month}-01`, { month: 'short', year: 'numeric' });

const earlierOf = (one: string, other: string) => (one.localeCompare(other) < 0 ? one : other);
const laterOf = (one: string, other: string) => (one.localeCompare(other) > 0 ? one : other);

/** Returns the days of a point of a series, within the requested days. */
export function daysOfPoint(groupBy: string, key: string, within: Days): Days {
  const own =
    groupBy === 'day'
      ? { startDate: key, endDate: key }
      : groupBy === 'week'
        ? { startDate: key, endDate: addDays(key, WEEK_DAYS - 1) }
        : groupBy === 'month'
          ? { startDate: `${key}-01`, endDate: monthEnd(`${key}-01`) }
          : within;
  return {
    startDate: laterOf(own.startDate, within.startDate),
    endDate: earlierOf(own.endDate, within.endDate),
  };
}
