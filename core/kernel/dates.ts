import { ServiceError } from './errors.ts';

/** Dates from the year 1000 on. Earlier dates are ambiguous, because the calendar differs. */
const DATE_PATTERN = /^[1-9]\d{3}-\d{2}-\d{2}$/;
const LAST_DATE = '9999-12-31';
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const MINUTE_MS = 60_000;

/** Checks that a text is an existing calendar date YYYY-MM-DD. @throws ServiceError INVALID_DATE */
export function parseDate(text: string, field: string): string {
  if (isDate(text)) return text;
  throw new ServiceError('INVALID_DATE', `\`${field}\` must be an existing date in the format YYYY-MM-DD.`, { field });
}

/** Days of a period, both inclusive. */
export interface Period {
  readonly startDate?: string;
  readonly endDate?: string;
}

/** Names of the caller's fields for a period. */
export const PERIOD_NAMES = { start: 'startDate', end: 'endDate' };

/** Checks the days of a period. @throws ServiceError INVALID_DATE; VALIDATION_ERROR if it ends before it starts. */
export function checkPeriod({ startDate, endDate }: Period, names = PERIOD_NAMES): void {
  if (startDate !== undefined) parseDate(startDate, names.start);
  if (endDate !== undefined) parseDate(endDate, names.end);
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw new ServiceError('VALIDATION_ERROR', `\`${names.end}\` must not be before \`${names.start}\`.`, { field: names.end });
}

/**
 * Returns the value that a caller gave under several names of the same field; undefined if none was given.
 * @throws ServiceError VALIDATION_ERROR if the values differ.
 */
export function agreedValue<Value extends string>(values: Readonly<Record<string, Value | undefined>>): Value | undefined {
  const [first, ...others] = Object.entries(values).filter(([, value]) => value !== undefined);
  const different = others.find(([, value]) => value !== first?.[1]);
  if (different === undefined) return first?.[1];
  const [field] = different;
  throw new ServiceError('VALIDATION_ERROR', `\`${first?.[0]}\` and \`${field}\` have different values. Send one of them.`, { field });
}

/** Returns true if the text is an existing day in the form YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const time = DATE_PATTERN.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** Returns true if the IANA time zone is known. */
export function isTimeZone(timeZone: string): boolean {
  // An offset such as +02:00 has no daylight saving time, and not every database knows it.
  if (/^[+-]/.test(timeZone)) return false;
  try {
    formatOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** Returns a valid name of a time zone in its own capitals. */
export function capitalsOfTimeZone(timeZone: string): string {
  const known = formatOf(timeZone).resolvedOptions().timeZone;
  return known.toLowerCase() === timeZone.toLowerCase() ? known : timeZone;
}

/** Returns the time of day HH:mm of an instant in a time zone. */
export function timeIn(timeZone: string, atMs: number): string {
  return wallClock(timeZone, atMs).slice(11, 16);
}

const cachedDays = new Map<string, { fromMs: number; toMs: number; date: string }>();

/** Returns the calendar date of an instant in a time zone. */
export function dateIn(timeZone: string, atMs: number): string {
  const cached = cachedDays.get(timeZone);
  if (cached && atMs >= cached.fromMs && atMs < cached.toMs) return cached.date;
  const date = wallClock(timeZone, atMs).slice(0, 10);
  const fromMs = startOfDate(timeZone, date);
  cachedDays.set(timeZone, { fromMs, toMs: startOfDate(timeZone, addDays(date, 1)), date });
  return date;
}

function wallClock(timeZone: string, atMs: number): string {
  const part: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) part[type] = value;
  return `${part.year?.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`;
}

/** Returns the date `days` later, or earlier if negative. Dates after the year 9999 become its last day. */
export function addDays(date: string, days: number): string {
  const text = new Date(Date.parse(`${date}T00:00:00.000Z`) + days * DAY_MS).toISOString();
  return text.startsWith('+') ? LAST_DATE : text.slice(0, 10);
}

/**
 * Returns the instant of a time of day HH:mm on a date in a time zone. A time that clocks skip is the instant to which they are set; for a time that
 * occurs twice, it is the first.
 */
export function instantOn(timeZone: string, date: string, time: string): number {
  const startMs = startOfDate(timeZone, date);
  const wanted = `${date}T${time}:00`;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  let guess = startMs + (hours * 60 + minutes) * MINUTE_MS;
  // The guess is early on a day whose clocks were set back. Clocks change by whole quarters of an hour.
  while (wallClock(timeZone, guess) < wanted) guess += QUARTER_MS;
  // The guess is late on a day whose clocks were set forward. A skipped time is the instant to which the clocks were set.
  while (wallClock(timeZone, guess - MINUTE_MS) >= wanted) guess -= MINUTE_MS;
  return guess;
}

/** Maximum number of starts of dates in memory. */
const STARTS_MAX = 1_000;
const cachedStarts = new Map<string, number>();

/** Returns the first instant of a calendar date in a time zone, in milliseconds. Changes to and from daylight saving time are considered. */
export function startOfDate(timeZone: string, date: string): number {
  const name = `${date} ${timeZone}`;
  const cached = cachedStarts.get(name);
  if (cached !== undefined) return cached;
  const startMs = computeStart(timeZone, date);
  if (cachedStarts.size >= STARTS_MAX) cachedStarts.clear();
  cachedStarts.set(name, startMs);
  return startMs;
}

function computeStart(timeZone: string, date: string): number {
  const target = Date.parse(`${date}T00:00:00.000Z`);
  let guess = target;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const wallClockMs = Date.parse(`${wallClock(timeZone, guess)}.000Z`);
    if (wallClockMs === target) return guess;
    guess += target - wallClockMs;
  }
  // Clocks skip midnight on this date, so the day begins at the time to which they are set.
  while (wallClock(timeZone, guess).slice(0, 10) < date) guess += QUARTER_MS;
  return guess;
}

/** Returns the last day that a file of booked movements can name: tomorrow in the easternmost time zone, because some banks book a day ahead. */
export const lastBookableDay = (nowMs: number): string => new Date(nowMs + 38 * 3_600_000).toISOString().slice(0, 10);
