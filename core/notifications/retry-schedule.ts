import { later, type TenantTime } from '#core/kernel';
/** The job that sends messages. */
export const DELIVER_JOB = 'notifications.deliver';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Delay after each failed try, counted from that try; after the last the message has failed. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
/** How long a message rests that could not go because its channel is at fault: nothing of it was tried. */
const CHANNEL_REST_MS = 2 * HOUR_MS;
/** A channel at fault for so long fails what waits for it. */
const CHANNEL_PATIENCE_MS = 7 * 24 * HOUR_MS;

/** When try `n` (from 1) that failed at a time is followed by another; null when it was the last. */
export function afterTry(n: number, atMs: TenantTime): TenantTime | null {
  const delay = DELAYS_MS[n - 1];
  return delay === undefined ? null : later(atMs, delay);
}

/** How long a channel rests that was at fault at a time, and up to which time of its making a message has waited too long by then. */
export function restAfter(atMs: TenantTime): { readonly untilMs: TenantTime; readonly patienceMs: number } {
  const untilMs = later(atMs, CHANNEL_REST_MS);
  return { untilMs, patienceMs: untilMs - CHANNEL_PATIENCE_MS };
}

/** When a message of a channel at fault is looked at again; null when it has been so for too long. */
export function afterChannelFault(createdMs: number, atMs: TenantTime): TenantTime | null {
  const { untilMs, patienceMs } = restAfter(atMs);
  return createdMs > patienceMs ? untilMs : null;
}
