import { addDays, dateIn, instantOn } from '#core/kernel';
import type { GatewaySettings } from './records.ts';

const MINUTE_MS = 60_000;

/** Returns the first cutoff after a time, in milliseconds: the time at which the processor closes its next batch. */
export function cutoffAfter({ cutoffTime, timezone }: Pick<GatewaySettings, 'cutoffTime' | 'timezone'>, nowMs: number): number {
  for (let date = dateIn(timezone, nowMs); ; date = addDays(date, 1)) {
    const cutoffMs = instantOn(timezone, date, cutoffTime);
    if (cutoffMs > nowMs) return cutoffMs;
  }
}

/** Returns the time at which a capture is sent, in milliseconds: the configured time before the next cutoff that is still ahead. */
export function captureTimeAfter(settings: Pick<GatewaySettings, 'cutoffTime' | 'timezone' | 'captureHoldMinutes'>, nowMs: number): number {
  const heldMs = settings.captureHoldMinutes * MINUTE_MS;
  return cutoffAfter(settings, nowMs + heldMs) - heldMs;
}
