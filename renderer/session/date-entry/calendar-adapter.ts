import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import type { DateBuilderReturnType } from '@mui/x-date-pickers/models';
import dayjs, { type Dayjs } from 'dayjs';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);

/** Type of `dayjs.utc` with the locale in which names and marks of a text are read. */
type ParseUtc = (text: string, format: string, locale: string | undefined, isStrict: true) => Dayjs;

const ISO = /^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/;
const TIME_24 = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/;

/** Returns days and times without a time zone, which are UTC for the library, so that no clock change moves them. */
export const calendarDate = (text: string): Dayjs => dayjs.utc(text);

/** Returns a date that a person pasted in the form of the API, whatever the language is; null for other texts. */
export function readIso(text: string, format: string): Dayjs | null {
  const [, day, time = '00:00'] = ISO.exec(text) ?? [];
  if (day !== undefined) return exact(`${day}T${time}`);
  const [, hour, minute] = (format.includes('mm') && TIME_24.exec(text)) || [];
  return hour === undefined ? null : exact(`2000-01-01T${hour.padStart(2, '0')}:${minute}`);
}

/** Returns null for a date that does not exist, such as February 30. */
function exact(text: string): Dayjs | null {
  const date = calendarDate(text);
  return date.isValid() && date.format('YYYY-MM-DD[T]HH:mm') === text ? date : null;
}

/** Returns an adapter for which all dates are without a time zone, and whose present day is given. */
export function adapterFor(today: string): typeof AdapterDayjs {
  return class CalendarAdapter extends AdapterDayjs {
    override date = <T extends string | null | undefined>(value?: T): DateBuilderReturnType<T> =>
      (value === null ? null : calendarDate(value ?? today).locale(this.locale ?? 'en')) as unknown as DateBuilderReturnType<T>;
    override getInvalidDate = (): Dayjs => dayjs.utc(Number.NaN);
    override parse = (text: string, format: string): Dayjs | null =>
      text === '' ? null : (readIso(text, format) ?? (dayjs.utc as unknown as ParseUtc)(text, format, this.locale ?? 'en', true));
  };
}
