import { locale } from '#renderer/base/language';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a date and time format in the language of the screens. Formats are cached: creating one costs more than a hundred uses. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale(), options);
    formats.set(key, format);
  }
  return format;
}
