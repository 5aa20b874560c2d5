import { type TenantTime, tenantTime } from '#core/kernel';

/** Name of the job that sends deliveries. */
export const DELIVER_JOB = 'webhooks.deliver';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Delay after each failed attempt, counted from that attempt. The last delay repeats. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS, DAY_MS];
/** A delivery fails for good if it does not succeed within this time after its first attempt. */
const EXPIRES_AFTER_MS = 7 * DAY_MS;

/** Returns the time of the next step after failed attempt `n` (from 1). The step is a retry, or else the end of the delivery. */
export function afterFailure(
  n: number,
  attemptedMs: number,
  firstAttemptMs: number,
): { readonly dueMs: TenantTime; readonly isRetry: boolean } {
  const next = attemptedMs + (DELAYS_MS[Math.min(n, DELAYS_MS.length) - 1] ?? DAY_MS);
  const end = firstAttemptMs + EXPIRES_AFTER_MS;
  return next < end ? { dueMs: tenantTime(next), isRetry: true } : { dueMs: tenantTime(end), isRetry: false };
}

/** Returns true if the seven days of a delivery have expired. */
export function isExpired(nowMs: number, firstAttemptMs: number | null): boolean {
  return firstAttemptMs !== null && nowMs >= firstAttemptMs + EXPIRES_AFTER_MS;
}
