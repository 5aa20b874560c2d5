declare const clock: unique symbol;
/** Milliseconds since the epoch by the clock of a tenant, which tests and sandbox accounts can move. */
export type TenantTime = number & { readonly [clock]: 'tenant' };
/** Milliseconds since the epoch by the clock of this computer. */
export type RealTime = number & { readonly [clock]: 'real' };

/** A tenant's source of time. */
export interface Clock {
  now(): TenantTime;
}

/** Narrows a number that is known to be a tenant's time, such as the start of a calendar day in a time zone. */
export const tenantTime = (ms: number): TenantTime => ms as TenantTime;
/** Narrows a number that is known to be real time. */
export const realTime = (ms: number): RealTime => ms as RealTime;
/** Returns the current time of this computer. */
export const realNow = (): RealTime => realTime(Date.now());

/** Returns a time plus a number of milliseconds, which may be negative, by the same clock. */
export const later = <Time extends TenantTime | RealTime>(time: Time, ms: number): Time => (time + ms) as Time;

export const systemClock: Clock = { now: () => tenantTime(Date.now()) };

let cachedMs = -1;
let cachedIso = '';

/** Returns a time as ISO 8601 in UTC. The last result is cached, because many rows are written in the same millisecond. */
export function isoTime(ms: number): string {
  if (ms !== cachedMs) {
    cachedIso = new Date(ms).toISOString();
    cachedMs = ms;
  }
  return cachedIso;
}

/**
 * Returns the current time, or the millisecond after the last change of the record if that is later: the clock of another workstation may be
 * ahead, and a test clock moves only when it is advanced.
 */
export function timeAfter(nowMs: TenantTime, updatedAt: string): TenantTime {
  return tenantTime(Math.max(nowMs, Date.parse(updatedAt) + 1));
}
