import { dateFormat } from './date-format.ts';

/** Returns the date and time of day that clocks in a time zone show at an instant, as `YYYY-MM-DDTHH:mm`. */
export function localTimeIn(timeZone: string, atMs: number): string {
  const format = dateFormat({
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const part = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

/**
 * Returns the instant, in milliseconds, at which clocks in a time zone show a date and time of day (`YYYY-MM-DDTHH:mm`). A time that clocks skip is as
 * much later as they are set forward; for a time that occurs twice, it is one of them.
 */
export function instantOf(timeZone: string, localTime: string): number {
  const wantedMs = Date.parse(`${localTime}Z`);
  const offsetAt = (atMs: number) => Date.parse(`${localTimeIn(timeZone, atMs)}Z`) - atMs;
  const firstGuess = wantedMs - offsetAt(wantedMs);
  const corrected = wantedMs - offsetAt(firstGuess);
  return localTimeIn(timeZone, corrected) === localTime ? corrected : firstGuess;
}

/** Returns the same time of day one calendar month later, or on the last day of a shorter month. */
export function monthLater(localTime: string): string {
  const [year = 0, month = 0, day = 0] = localTime.slice(0, 10).split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month, Math.min(day, lastDay))).toISOString().slice(0, 10);
  return `${date}${localTime.slice(10)}`;
}
