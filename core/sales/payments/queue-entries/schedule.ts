const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Delay before each automatic retry, counted from the previous attempt. The last delay repeats. */
const DELAYS_MS = [0, 5, 10, 20, 60, 120, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

/** Delay before the scheduler retries a new entry. A run requested by an integrator may retry it earlier. */
export const FRESH_ENTRY_DELAY_MS = 5 * MINUTE_MS;
/** Minimum delay after an attempt that never reached the processor. Such attempts do not count. */
export const UNSENT_DELAY_MS = 5 * MINUTE_MS;
/** Delay while another change of the payment is in progress, which takes seconds unless its gateway is unavailable. */
export const BUSY_DELAY_MS = MINUTE_MS;

/** Returns the delay until the next attempt in milliseconds: the time waited since `sinceMs`, from `minMs` to an hour. */
export function delaySince(sinceMs: number, nowMs: number, minMs: number): number {
  return Math.min(HOUR_MS, Math.max(minMs, nowMs - sinceMs));
}

/** Returns the delay before retry `n` (from 1), in milliseconds. */
export function delayBefore(n: number): number {
  return DELAYS_MS[Math.min(n, DELAYS_MS.length) - 1] ?? 24 * HOUR_MS;
}
