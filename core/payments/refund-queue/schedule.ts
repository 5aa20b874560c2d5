const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Delay before each automatic retry, counted from the attempt before it (specification 8); the last holds for all that follow. */
const DELAYS_MS = [0, 5, 10, 20, 60, 120, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

/** Interval at which the scheduler picks up fresh entries (decisions 6). Runs requested by integrators may come first. */
export const SCHEDULER_EVERY_MS = 5 * MINUTE_MS;
/** A try that never reached the processor used up nothing; it is made again after this at the soonest. */
export const UNSENT_DELAY_MS = 5 * MINUTE_MS;
/** Another change of the payment is under way; its outcome takes seconds, unless its gateway is away. */
export const BUSY_DELAY_MS = MINUTE_MS;

/** Milliseconds to wait for what no retry can hurry: as long again as it has been waited for since a time, from `leastMs` to an hour. */
export function delaySince(sinceMs: number, nowMs: number, leastMs: number): number {
  return Math.min(HOUR_MS, Math.max(leastMs, nowMs - sinceMs));
}

/** Milliseconds to wait before retry `n`, from 1. */
export function delayBefore(n: number): number {
  return DELAYS_MS[Math.min(n, DELAYS_MS.length) - 1] ?? 24 * HOUR_MS;
}
