import { addDays } from '#core/kernel';

/** Frequencies of a subscription (decisions 7). */
export const FREQUENCIES = ['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'semiannually', 'annually'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const STEPS: Readonly<Record<Frequency, { readonly days: number } | { readonly months: number }>> = {
  daily: { days: 1 },
  weekly: { days: 7 },
  biweekly: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  semiannually: { months: 6 },
  annually: { months: 12 },
};

const DAY_MS = 86_400_000;
const YEAR_MONTHS = 12;

/**
 * The date of a period, counted from the anchor's own: always from the anchor, so that a plan of the 31st is paid on 28 February and on 31 March
 * again. Calendar dates know no time zone and no daylight saving.
 */
export function dateOfPeriod(anchor: string, frequency: Frequency, index: number): string {
  const step = STEPS[frequency];
  if ('days' in step) return addDays(anchor, step.days * index);
  const [year = 0, month = 0, day = 0] = anchor.split('-').map(Number);
  const months = year * YEAR_MONTHS + (month - 1) + step.months * index;
  const [toYear, toMonth] = [Math.floor(months / YEAR_MONTHS), months % YEAR_MONTHS];
  const lastDay = new Date(Date.UTC(toYear, toMonth + 1, 0)).getUTCDate();
  return new Date(Date.UTC(toYear, toMonth, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** The first period, from a given one on, whose date is not before a date. */
export function firstPeriodFrom(anchor: string, frequency: Frequency, date: string, from = 0): number {
  let index = Math.max(from, roughly(anchor, frequency, date) - 1);
  while (dateOfPeriod(anchor, frequency, index) < date) index += 1;
  return index;
}

/** The last period whose date is not after a date; -1 when the first one is. */
export function lastPeriodUpTo(anchor: string, frequency: Frequency, date: string): number {
  return firstPeriodFrom(anchor, frequency, addDays(date, 1)) - 1;
}

/** A period near a date, at most one too late. */
function roughly(anchor: string, frequency: Frequency, date: string): number {
  const step = STEPS[frequency];
  if ('days' in step) return Math.floor((Date.parse(date) - Date.parse(anchor)) / DAY_MS / step.days);
  const monthOf = (of: string) => Number(of.slice(0, 4)) * YEAR_MONTHS + Number(of.slice(5, 7));
  return Math.floor((monthOf(date) - monthOf(anchor)) / step.months);
}

export interface Course {
  readonly anchor: string;
  readonly frequency: Frequency;
  readonly endDate: string | null;
  /** Number of remaining payments; null means no limit. */
  readonly left: number | null;
}

/** The next dates of a plan, by the rule that charges it. */
export function datesOf(course: Course, fromIndex: number, count: number): string[] {
  const dates: string[] = [];
  const most = Math.min(count, course.left ?? count);
  for (let index = fromIndex; dates.length < most; index += 1) {
    const date = dateOfPeriod(course.anchor, course.frequency, index);
    if (course.endDate !== null && date > course.endDate) break;
    dates.push(date);
  }
  return dates;
}
