import type { StatusFact, StatusItem } from './records.ts';

interface Finding {
  readonly state?: StatusItem['state'];
  readonly message: string;
  readonly action?: StatusItem['action'];
  readonly subject?: string;
}

export function item(
  name: StatusItem['name'],
  { state = 'ok', message, action, subject }: Finding,
  facts: readonly StatusFact[] = [],
): StatusItem {
  return { name, state, message, action: action ?? null, subject: subject ?? null, facts };
}

export const fact = (name: string, value: string): StatusFact => ({ name, value, at: null });
export const timeFact = (name: string, at: string | null): StatusFact[] => (at === null ? [] : [{ name, value: null, at }]);

const ORDER: readonly StatusItem['state'][] = ['ok', 'warning', 'problem'];
const rank = (state: StatusItem['state']) => ORDER.indexOf(state);

/** Returns the worst of several states. */
export function worst(states: readonly StatusItem['state'][]): StatusItem['state'] {
  return states.reduce<StatusItem['state']>((worstSoFar, state) => (rank(state) > rank(worstSoFar) ? state : worstSoFar), 'ok');
}

/** Returns a count with its noun, such as "1 payment" or "3 payments"; from the bound on "1,000 payments or more". */
export function counted(n: number, singular: string, plural: string, bound = Number.POSITIVE_INFINITY): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}${n >= bound ? ' or more' : ''}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Returns a duration in the largest fitting unit, such as "3 minutes". */
export function durationText(ms: number): string {
  if (ms < 2 * MINUTE_MS) return counted(Math.max(1, Math.round(ms / 1_000)), 'second', 'seconds');
  if (ms < 2 * HOUR_MS) return counted(Math.round(ms / MINUTE_MS), 'minute', 'minutes');
  if (ms < 2 * DAY_MS) return counted(Math.round(ms / HOUR_MS), 'hour', 'hours');
  return counted(Math.round(ms / DAY_MS), 'day', 'days');
}
