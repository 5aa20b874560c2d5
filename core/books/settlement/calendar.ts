import { addDays, dateIn, instantOn, type TenantTime, tenantTime } from '#core/kernel';
import type { ScheduleRow } from './schema.ts';

type Rule = Pick<ScheduleRow, 'frequency' | 'cutoff_time' | 'weekday' | 'day_of_month'>;

const lastDayOf = (date: string) => new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
/** 1 is Monday, 7 Sunday. */
const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

function isCutoffDay({ frequency, weekday, day_of_month }: Rule, date: string): boolean {
  if (frequency === 'weekly') return weekdayOf(date) === weekday;
  if (frequency === 'monthly') return Number(date.slice(8)) === Math.min(day_of_month, lastDayOf(date));
  return true;
}

/** Returns the first cutoff after a time; null for manual settlement. */
export function cutoffAfter(rule: Rule, timeZone: string, afterMs: number): TenantTime | null {
  if (rule.frequency === 'manual') return null;
  // The search starts with the day itself, because its cutoff may still be ahead. The longest distance is a month.
  for (let date = dateIn(timeZone, afterMs); ; date = addDays(date, 1)) {
    if (!isCutoffDay(rule, date)) continue;
    const cutoffMs = instantOn(timeZone, date, rule.cutoff_time);
    if (cutoffMs > afterMs) return tenantTime(cutoffMs);
  }
}

/** Returns the settlement date: the calendar day of the cutoff plus the delay. */
export function settlementDateOf(timeZone: string, cutoffMs: number, delayDays: number): string {
  return addDays(dateIn(timeZone, cutoffMs), delayDays);
}
