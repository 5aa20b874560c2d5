import { dateFormat } from '#renderer/base/dates';
import type { EntryKind } from './props.ts';

/** Placeholders of dayjs for the parts of a date. */
const TOKENS: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = { year: 'YYYY', month: 'MM', day: 'DD' };

const DATE = dateFormat({ year: 'numeric', month: '2-digit', day: '2-digit' })
  .formatToParts(0)
  .map(({ type, value }) => TOKENS[type] ?? value)
  .join('');
/** True if the hours of the language end at 12. */
export const HAS_HALF_DAYS = dateFormat({ hour: 'numeric' }).resolvedOptions().hour12 === true;
const TIME = HAS_HALF_DAYS ? 'hh:mm A' : 'HH:mm';

/** Order of the parts in the language of the screens, as formats of dayjs. */
export const FORMATS: Readonly<Record<EntryKind, string>> = { date: DATE, time: TIME, 'date-time': `${DATE} ${TIME}` };

/** Returns the text that a field shows for a complete value. */
export function entryText(kind: EntryKind, value: string): string {
  const [, year = '', month = '', day = '', hour = '', minute = ''] = /^(?:(\d{4})-(\d\d)-(\d\d))?T?(?:(\d\d):(\d\d))?$/.exec(value) ?? [];
  if (value === '') return '';
  const parts: Readonly<Record<string, string>> = {
    YYYY: year,
    MM: month,
    DD: day,
    HH: hour,
    hh: String(Number(hour) % 12 || 12).padStart(2, '0'),
    mm: minute,
    A: Number(hour) < 12 ? 'AM' : 'PM',
  };
  return FORMATS[kind].replaceAll(/YYYY|MM|DD|HH|hh|mm|A/g, (token) => parts[token] ?? token);
}
