import { addDays, instantOn, type TenantTime, tenantTime } from '#core/kernel';
import type { DisputeRow } from './schema.ts';
import { awaitsResponse } from './steps.ts';

/** Days before the due date on which a reminder is published. */
export const REMINDER_DAYS = [7, 3, 1] as const;
/** Time of day of a reminder in the merchant's zone. */
const REMINDER_TIME = '08:00';
/** Days to respond if the processor reports no due date. */
export const DAYS_TO_RESPOND = 14;

const DAY_MS = 86_400_000;

/** Returns the time of the next reminder; null if none is left or no response is awaited. */
export function nextReminderMs(row: Pick<DisputeRow, 'status' | 'due_date'>, timeZone: string, nowMs: number): TenantTime | null {
  if (!awaitsResponse(row.status)) return null;
  const times = REMINDER_DAYS.map((days) => instantOn(timeZone, addDays(row.due_date, -days), REMINDER_TIME));
  const next = times.find((ms) => ms > nowMs);
  return next === undefined ? null : tenantTime(next);
}

/** Returns the number of calendar days from one date to another; negative if the second one is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
