import { dateFormat } from './date-format.ts';

const DAY_MS = 86_400_000;

/** Returns the date some days later, YYYY-MM-DD. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

const firstOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** Returns the month some months later, YYYY-MM. */
export function addMonths(month: string, months: number): string {
  const first = firstOf(month);
  first.setUTCMonth(first.getUTCMonth() + months);
  return first.toISOString().slice(0, 7);
}

/** Formats a month: "November 2026". */
export const monthName = (month: string): string => dateFormat({ timeZone: 'UTC', month: 'long', year: 'numeric' }).format(firstOf(month));
