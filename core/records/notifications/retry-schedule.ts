import { later, type TenantTime } from '#core/kernel';
/** The job that sends messages. */
export const DELIVER_JOB = 'notifications.deliver';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Delay after each failed attempt, counted from that attempt. After the last one the message has failed. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
/** Suspension of a failed channel; no attempt of its messages is counted. */
const CHANNEL_SUSPENSION_MS = 2 * HOUR_MS;
/** Age at which a message of a failed channel fails. */
const CHANNEL_GIVE_UP_MS = 7 * 24 * HOUR_MS;

/** Returns the time of the next attempt after failed attempt `n` (from 1); null after the last one. */
export function nextAttemptAt(n: number, atMs: TenantTime): TenantTime | null {
  const delay = DELAYS_MS[n - 1];
  return delay === undefined ? null : later(atMs, delay);
}

/** Returns the end of a failed channel's suspension, and the creation time before which messages have waited too long. */
export function suspensionAfter(atMs: TenantTime): { readonly untilMs: TenantTime; readonly givenUpBeforeMs: number } {
  const untilMs = later(atMs, CHANNEL_SUSPENSION_MS);
  return { untilMs, givenUpBeforeMs: untilMs - CHANNEL_GIVE_UP_MS };
}

/** Returns the next time for a message of a failed channel; null after too long a wait. */
export function afterChannelFault(createdMs: number, atMs: TenantTime): TenantTime | null {
  const { untilMs, givenUpBeforeMs: patienceMs } = suspensionAfter(atMs);
  return createdMs > patienceMs ? untilMs : null;
}
