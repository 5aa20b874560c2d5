import { addDays, dateIn, instantOn } from '#core/kernel';
import type { GatewaySettings } from './gateway.ts';

const MINUTE_MS = 60_000;

/** The first cut-off after an instant, in milliseconds: when the processor closes its next batch. */
export function cutoffAfter({ cutoffTime, timezone }: Pick<GatewaySettings, 'cutoffTime' | 'timezone'>, nowMs: number): number {
  for (let date = dateIn(timezone, nowMs); ; date = addDays(date, 1)) {
    const cutoffMs = instantOn(timezone, date, cutoffTime);
    if (cutoffMs > nowMs) return cutoffMs;
  }
}

/** When a capture taken at an instant is sent, in milliseconds: so long before a cut-off as is set, at the first such moment to come. */
export function sendingAfter(settings: Pick<GatewaySettings, 'cutoffTime' | 'timezone' | 'captureHoldMinutes'>, nowMs: number): number {
  const heldMs = settings.captureHoldMinutes * MINUTE_MS;
  return cutoffAfter(settings, nowMs + heldMs) - heldMs;
}
