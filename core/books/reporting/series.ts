import { addDays } from '#core/kernel';
import { BANK_ACCOUNT } from '#core/sales/payments';
import { brandName } from '#shared/card-brands';
import type { GroupBy } from './records.ts';

const DAY_MS = 86_400_000;

/** Returns the display name of a card brand or of bank accounts. */
export const methodName = (brand: string): string => (brand === BANK_ACCOUNT ? 'Bank account' : brandName(brand));

function mondayOf(date: string): string {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
  return addDays(date, 1 - weekday);
}

/** Returns the point of a series for a date: the date itself, the Monday of its week, or its month as YYYY-MM. */
export function pointOf(groupBy: 'day' | 'week' | 'month', date: string): string {
  if (groupBy === 'week') return mondayOf(date);
  return groupBy === 'month' ? date.slice(0, 7) : date;
}

export const isByTime = (groupBy: GroupBy): groupBy is 'day' | 'week' | 'month' => groupBy !== 'brand' && groupBy !== 'merchant';

/** Returns the largest number of points of a period. */
export function seriesSize(groupBy: GroupBy, startDate: string, endDate: string): number {
  if (!isByTime(groupBy)) return 0;
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
  return { day: days, week: days / 7 + 1, month: days / 28 + 2 }[groupBy];
}

/** Returns all points of a period in order, including those without data. */
export function pointsOf(groupBy: 'day' | 'week' | 'month', startDate: string, endDate: string): string[] {
  const points: string[] = [];
  // `addDays` does not pass the last day of the calendar, so the end is not found by a later day.
  for (let date = startDate; ; date = addDays(date, 1)) {
    const point = pointOf(groupBy, date);
    if (points.at(-1) !== point) points.push(point);
    if (date >= endDate) return points;
  }
}
