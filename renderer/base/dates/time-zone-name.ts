import { dateFormat } from './date-format.ts';

/** Returns the name of a time zone for people: "Eastern Time (New York)" of America/New_York. */
export function timeZoneName(timeZone: string): string {
  if (!timeZone.includes('/')) return timeZone;
  const parts = dateFormat({ timeZone, timeZoneName: 'longGeneric' }).formatToParts(0);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const city = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return `${name.charAt(0).toLocaleUpperCase()}${name.slice(1)} (${city})`;
}
