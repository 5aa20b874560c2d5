import { dateFormat } from './date-format.ts';

/** Returns the calendar day of an instant in a time zone, as YYYY-MM-DD. */
export function dayIn(timeZone: string, at: number | Date): string {
  const parts = dateFormat({ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}
