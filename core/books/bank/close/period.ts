import { addDays, isDate, ServiceError } from '#core/kernel';

/** A day YYYY-MM-DD or a month YYYY-MM, with its first and last day. */
export interface Period {
  readonly name: string;
  readonly first: string;
  readonly last: string;
}

const MONTH = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;

/** Parses a period. @throws ServiceError INVALID_DATE unless it is an existing day or month. */
export function parsePeriod(text: string, field: string): Period {
  if (isDate(text)) return { name: text, first: text, last: text };
  if (!MONTH.test(text))
    throw new ServiceError('INVALID_DATE', `\`${field}\` must be a month YYYY-MM or an existing day YYYY-MM-DD.`, { field });
  const first = `${text}-01`;
  const next = addDays(first, 31).slice(0, 7);
  return { name: text, first, last: addDays(`${next}-01`, -1) };
}

/** Returns every day of a period. */
export function daysOf({ first, last }: Pick<Period, 'first' | 'last'>): string[] {
  const days = [first];
  while ((days.at(-1) as string) < last) days.push(addDays(days.at(-1) as string, 1));
  return days;
}
