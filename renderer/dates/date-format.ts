const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of dates and times in American English. Formats are kept: making one costs more than a hundred uses of it. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', options);
    formats.set(key, format);
  }
  return format;
}
