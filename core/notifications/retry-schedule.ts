import { later, type TenantTime } from '#core/kernel';
/** The job that sends messages. */
export const DELIVER_JOB = 'notifications.deliver';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Delay after each failed try, counted from that try; after the last the message has failed. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
/** Wait of a message whose channel failed; no attempt is counted. */
const CHANNEL_REST_MS = 2 * HOUR_MS;
/** A channel at fault for so long fails what waits for it. */
const CHANNEL_PATIENCE_MS = 7 * 24 * HOUR_MS;

/** Returns the time of the next attempt after failed attempt `n` (from 1); null after the last one. */
export function afterTry(n: number, atMs: TenantTime): TenantTime | null {
  const delay = DELAYS_MS[n - 1];
  return delay === undefined ? null : later(atMs, delay);
}

/** Returns how long a failed channel is suspended, and the creation time before which messages have waited too long. */
export function restAfter(atMs: TenantTime): { readonly untilMs: TenantTime; readonly patienceMs: number } {
  const untilMs = later(atMs, CHANNEL_REST_MS);
  return { untilMs, patienceMs: untilMs - CHANNEL_PATIENCE_MS };
}

/** Returns the next time for a message of a failed channel; null after too long a wait. */
export function afterChannelFault(createdMs: number, atMs: TenantTime): TenantTime | null {
  const { untilMs, patienceMs } = restAfter(atMs);
  return createdMs > patienceMs ? untilMs : null;
}
