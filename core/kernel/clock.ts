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
 * Returns the present time, or a time after the last change of the record if that is later: the clock of another workstation may be ahead,
 * and a stopped test clock never moves.
 */
export function timeAfter(nowMs: TenantTime, updatedAt: string): TenantTime {
  return tenantTime(Math.max(nowMs, Date.parse(updatedAt) + 1));
}
