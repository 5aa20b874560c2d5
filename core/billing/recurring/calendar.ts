import { addDays } from '#core/kernel';

/** Frequencies of a subscription. */
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

const dayOfMonth = (date: string) => Number(date.slice(8, 10));

/**
 * Returns the day of the month of a subscription whose periods are counted from an anchor. If its frequency was changed on the last day of a short
 * month, the day of its start remains: a subscription of the 31st that becomes quarterly in February is charged on 31 May.
 */
export function monthDayOf(anchor: string, startDate: string): number {
  const isMonthEnd = dayOfMonth(addDays(anchor, 1)) === 1;
  return isMonthEnd ? Math.max(dayOfMonth(anchor), dayOfMonth(startDate)) : dayOfMonth(anchor);
}

/**
 * Returns the date of a period, always counted from the anchor, so that a subscription of the 31st is charged on 28 February and again on
 * 31 March.
 * Calendar dates have no time zone and no daylight saving time.
 */
export function dateOfPeriod(anchor: string, frequency: Frequency, index: number, monthDay = dayOfMonth(anchor)): string {
  const step = STEPS[frequency];
  if ('days' in step) return addDays(anchor, step.days * index);
  const [year = 0, month = 0] = anchor.split('-').map(Number);
  const months = year * YEAR_MONTHS + (month - 1) + step.months * index;
  const [toYear, toMonth] = [Math.floor(months / YEAR_MONTHS), months % YEAR_MONTHS];
  const lastDay = new Date(Date.UTC(toYear, toMonth + 1, 0)).getUTCDate();
  return new Date(Date.UTC(toYear, toMonth, Math.min(monthDay, lastDay))).toISOString().slice(0, 10);
}

/** Returns the first period, starting from a given one, that is not before a date. */
export function firstPeriodFrom(anchor: string, frequency: Frequency, date: string, fromIndex = 0, monthDay?: number): number {
  let index = Math.max(fromIndex, approximateIndex(anchor, frequency, date) - 1);
  while (dateOfPeriod(anchor, frequency, index, monthDay) < date) index += 1;
  return index;
}

/** Returns the last period that is not after a date; -1 if the first one is after it. */
export function lastPeriodUpTo(anchor: string, frequency: Frequency, date: string, monthDay?: number): number {
  return firstPeriodFrom(anchor, frequency, addDays(date, 1), 0, monthDay) - 1;
}

/** Returns an estimate of the period at a date, at most one too late. */
function approximateIndex(anchor: string, frequency: Frequency, date: string): number {
  const step = STEPS[frequency];
  if ('days' in step) return Math.floor((Date.parse(date) - Date.parse(anchor)) / DAY_MS / step.days);
  const monthOf = (date: string) => Number(date.slice(0, 4)) * YEAR_MONTHS + Number(date.slice(5, 7));
  return Math.floor((monthOf(date) - monthOf(anchor)) / step.months);
}

export interface PaymentPlan {
  readonly anchor: string;
  readonly frequency: Frequency;
  /** Day of the month, by default that of the anchor. */
  readonly monthDay?: number;
  readonly endDate: string | null;
  /** Number of remaining payments; null means no limit. */
  readonly left: number | null;
}

/** Returns the next dates of a subscription, by the same rule that charges it. */
export function datesOf(plan: PaymentPlan, fromIndex: number, count: number): string[] {
  const dates: string[] = [];
  const countMax = Math.min(count, plan.left ?? count);
  for (let index = fromIndex; dates.length < countMax; index += 1) {
    const date = dateOfPeriod(plan.anchor, plan.frequency, index, plan.monthDay);
    if (plan.endDate !== null && date > plan.endDate) break;
    dates.push(date);
  }
  return dates;
}
