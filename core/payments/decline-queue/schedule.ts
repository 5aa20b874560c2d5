const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Delay before each automatic retry, counted from the attempt before it (specification 8); the last holds for all that follow. */
const DELAYS_MS = [0, 5, 10, 20, 60, 120, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

export const ATTEMPTS_MAX = 3;
/** How often the built-in scheduler looks at fresh entries (decisions 6): integrators' own runs may come before it. */
export const SCHEDULER_EVERY_MS = 5 * MINUTE_MS;
/** A try that never reached the processor used up nothing; it is made again after this. */
export const UNSENT_DELAY_MS = 5 * MINUTE_MS;

/** Milliseconds to wait before retry `n`, from 1. */
export function delayBefore(n: number): number {
  return DELAYS_MS[Math.min(n, DELAYS_MS.length) - 1] ?? 24 * HOUR_MS;
}
