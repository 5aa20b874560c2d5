declare const clock: unique symbol;
/** Milliseconds since the epoch by the clock of a tenant, which tests and sandboxes move. */
export type TenantTime = number & { readonly [clock]: 'tenant' };
/** Milliseconds since the epoch by the clock of this computer. */
export type RealTime = number & { readonly [clock]: 'real' };

/** A tenant's source of time. */
export interface Clock {
  now(): TenantTime;
}

/** The tenant's time of a number that is known to be one, such as the start of a calendar day in a zone. */
export const tenantTime = (ms: number): TenantTime => ms as TenantTime;
/** The real time of a number that is known to be one. */
export const realTime = (ms: number): RealTime => ms as RealTime;
/** The present by the clock of this computer. */
export const realNow = (): RealTime => realTime(Date.now());

/** The time so many milliseconds after another, or before it, by the same clock. */
export const later = <Time extends TenantTime | RealTime>(time: Time, ms: number): Time => (time + ms) as Time;

export const systemClock: Clock = { now: () => tenantTime(Date.now()) };

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
export function timeAfter(nowMs: TenantTime, updatedAt: string): TenantTime {
  return tenantTime(Math.max(nowMs, Date.parse(updatedAt) + 1));
}
