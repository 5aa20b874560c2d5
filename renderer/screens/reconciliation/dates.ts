import { dateFormat } from '#renderer/base/dates';

const DAY_MS = 86_400_000;

const utc = (date: string) => new Date(`${date}T00:00:00Z`);

/** Returns the date some days later, YYYY-MM-DD. */
export function addDays(date: string, days: number): string {
  return new Date(utc(date).getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the month some months later, YYYY-MM. */
export function addMonths(month: string, months: number): string {
  const first = utc(`${month}-01`);
  first.setUTCMonth(first.getUTCMonth() + months);
  return first.toISOString().slice(0, 7);
}

/** Formats a month: "November 2026". */
export function monthText(month: string): string {
  return dateFormat({ timeZone: 'UTC', month: 'long', year: 'numeric' }).format(utc(`${month}-01`));
}

/** Formats a date: "Saturday, November 21, 2026". */
export function longDayText(date: string): string {
  return dateFormat({ timeZone: 'UTC', dateStyle: 'full' }).format(utc(date));
}
