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

/** The present, unless the record was changed later by a station whose clock is ahead: what follows a change is never told to have come before it. */
export function notBefore(nowMs: number, updatedAt: string): number {
  const updatedMs = Date.parse(updatedAt);
  return nowMs >= updatedMs ? nowMs : updatedMs + 1;
}
