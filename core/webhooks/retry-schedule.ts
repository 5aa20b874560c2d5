import { type TenantTime, tenantTime } from '#core/kernel';
/** The job that makes deliveries. */
export const DELIVER_JOB = 'webhooks.deliver';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Delay after each failed attempt, counted from that attempt (specification 6.1); the last holds for all that follow. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS, DAY_MS];
/** A delivery that did not succeed within this time of its first attempt is failed. */
const GIVE_UP_MS = 7 * DAY_MS;

/** Returns the time of the next step after failed attempt `n` (from 1), and whether it is a retry or the end. */
export function afterFailure(
  n: number,
  attemptedMs: number,
  firstAttemptMs: number,
): { readonly dueMs: TenantTime; readonly tries: boolean } {
  const next = attemptedMs + (DELAYS_MS[Math.min(n, DELAYS_MS.length) - 1] ?? DAY_MS);
  const end = firstAttemptMs + GIVE_UP_MS;
  return next < end ? { dueMs: tenantTime(next), tries: true } : { dueMs: tenantTime(end), tries: false };
}

/** Returns true if the time of a delivery has expired. */
export function isOver(nowMs: number, firstAttemptMs: number | null): boolean {
  return firstAttemptMs !== null && nowMs >= firstAttemptMs + GIVE_UP_MS;
}
