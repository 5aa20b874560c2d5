/** A source of time in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

let cachedMs = -1;
let cachedIso = '';

/** ISO 8601 UTC time of a millisecond; the last one is kept, since a busy millisecond stamps many rows. */
export function isoTime(ms: number): string {
  if (ms !== cachedMs) {
    cachedIso = new Date(ms).toISOString();
    cachedMs = ms;
  }
  return cachedIso;
}

/**
 * The present, unless the record was changed by then: by a station whose clock is ahead, or within the same millisecond, as all is while a test clock stands
 * still. What follows a change is always told to have come after it.
 */
export function timeAfter(nowMs: number, updatedAt: string): number {
  return Math.max(nowMs, Date.parse(updatedAt) + 1);
}
