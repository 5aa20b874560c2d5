import { dateFormat } from '#renderer/dates';
import { dayText } from '#renderer/ui';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Two calendar days of the merchant, YYYY-MM-DD, both inclusive. */
export interface Days {
  readonly startDate: string;
  readonly endDate: string;
}

export const PERIODS = [
  { id: '7-days', name: '7 days' },
  { id: '30-days', name: '30 days' },
  { id: '90-days', name: '90 days' },
  { id: 'month', name: 'This month' },
  { id: 'year', name: 'This year' },
] as const;
export type Period = (typeof PERIODS)[number]['id'];

const LENGTHS: Readonly<Partial<Record<Period, number>>> = { '7-days': 7, '30-days': 30, '90-days': 90 };

/** A calendar day some days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same weekday of the week before. */
export const weekBefore = (day: string) => addDays(day, -WEEK_DAYS);

/** The days of a named period, until today. */
export function daysOf(period: Period, today: string): Days {
  const length = LENGTHS[period];
  if (length !== undefined) return { startDate: addDays(today, 1 - length), endDate: today };
  return {
    startDate: `${period === 'month' ? today.slice(0, 7) : today.slice(0, 4)}${period === 'month' ? '-01' : '-01-01'}`,
    endDate: today,
  };
}

/** The last day of a month, given any day of it. */
function monthEnd(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** The days before or after: whole months by months, whole years by years, others by as many days as there are. Never beyond today. */
export function moved({ startDate, endDate }: Days, by: 1 | -1, today: string): Days | undefined {
  const next = shifted({ startDate, endDate }, by, today);
  if (next.startDate > today) return undefined;
  return { startDate: next.startDate, endDate: earlierOf(next.endDate, today) };
}

function shifted({ startDate, endDate }: Days, by: 1 | -1, today: string): Days {
  const isWhole = (end: string) => endDate === end || endDate === today;
  const year = startDate.slice(0, 4);
  if (startDate.endsWith('-01-01') && endDate.startsWith(year) && isWhole(`${year}-12-31`)) {
    const other = String(Number(year) + by);
    return { startDate: `${other}-01-01`, endDate: `${other}-12-31` };
  }
  if (startDate.endsWith('-01') && endDate.slice(0, 7) === startDate.slice(0, 7) && isWhole(monthEnd(startDate))) {
    const other = by === 1 ? addDays(monthEnd(startDate), 1) : `${addDays(startDate, -1).slice(0, 7)}-01`;
    return { startDate: other, endDate: monthEnd(other) };
  }
  const length = Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS) + 1;
  return { startDate: addDays(startDate, by * length), endDate: addDays(endDate, by * length) };
}

/** "Nov 21, 2026", "Nov 1 to Nov 21, 2026". */
export function daysText({ startDate, endDate }: Days): string {
  if (startDate === endDate) return dayText(startDate);
  const isOneYear = startDate.slice(0, 4) === endDate.slice(0, 4);
  return `${isOneYear ? shortDay(startDate) : dayText(startDate)} to ${dayText(endDate)}`;
}

const written = (day: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat({ timeZone: 'UTC', ...options }).format(new Date(`${day}T00:00:00Z`));

/** "Nov 21". */
export const shortDay = (day: string) => written(day, { month: 'short', day: 'numeric' });
/** "Sat, Nov 21". */
export const weekdayText = (day: string) => written(day, { weekday: 'short', month: 'short', day: 'numeric' });
/** "Nov 2026", of a month as YYYY-MM. */
export const monthText = (month: string) => written(`${month}-01`, { month: 'short', year: 'numeric' });

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
