import type { RetryAdvice } from '#core/processing/gateways';

/** Returns the stored form of a processor's advice: its kind, and the days to wait. */
export function adviceText(advice: RetryAdvice): string {
  return advice.kind === 'wait' ? `wait:${advice.days}` : advice.kind;
}

export function adviceOf(text: string | null): RetryAdvice | null {
  if (text === null) return null;
  const [kind, days] = text.split(':');
  if (kind === 'wait') return { kind, days: Number(days) };
  return kind === 'stop-card' || kind === 'stop-plan' || kind === 'update-card' ? { kind } : null;
}
