import { addDays, dateFormat } from '#renderer/base/dates';

/** Returns the previous and the next day. */
export const neighbours = (date: string) => ({ before: addDays(date, -1), after: addDays(date, 1) });

/** Formats a date: "Saturday, November 21, 2026". */
export function longDayText(date: string): string {
  return dateFormat({ timeZone: 'UTC', dateStyle: 'full' }).format(new Date(`${date}T00:00:00Z`));
}
