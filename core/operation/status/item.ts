/** State of an item: a `warning` should be checked, a `problem` keeps something from working. */
export type StatusState = 'ok' | 'warning' | 'problem';

/** Items of the status in their order. */
export const STATUS_NAMES = [
  'server',
  'database',
  'replication',
  'gateways',
  'payments',
  'requests',
  'refunds',
  'webhooks',
  'messages',
  'scheduler',
  'backup',
  'archive',
  'audit-log',
  'keys',
  'disk',
  'clock',
  'public-address',
] as const;
type StatusName = (typeof STATUS_NAMES)[number];

/** Actions that a person can take about an item. */
export const STATUS_ACTIONS = [
  'open-gateways',
  'open-transactions',
  'open-refund-queue',
  'open-webhooks',
  'open-messages',
  'set-up-messages',
  'open-backup',
  'open-archive',
  'save-recovery-file',
  'open-settings',
  'see-logs',
] as const;
type StatusAction = (typeof STATUS_ACTIONS)[number];

/** A figure of an item: a text or a time. */
export interface StatusFact {
  readonly name: string;
  readonly value: string | null;
  readonly at: string | null;
}

/** One item with its state, in one sentence, with one action. */
export interface StatusItem {
  readonly name: StatusName;
  readonly state: StatusState;
  readonly message: string;
  readonly action: StatusAction | null;
  /** Subject of the action, such as an endpoint. */
  readonly subject: string | null;
  readonly facts: readonly StatusFact[];
}

interface Finding {
  readonly state?: StatusState;
  readonly message: string;
  readonly action?: StatusAction;
  readonly subject?: string;
}

export function item(name: StatusName, { state = 'ok', message, action, subject }: Finding, facts: readonly StatusFact[] = []): StatusItem {
  return { name, state, message, action: action ?? null, subject: subject ?? null, facts };
}

export const fact = (name: string, value: string): StatusFact => ({ name, value, at: null });
export const timeFact = (name: string, at: string | null): StatusFact[] => (at === null ? [] : [{ name, value: null, at }]);

const ORDER: readonly StatusState[] = ['ok', 'warning', 'problem'];
const rank = (state: StatusState) => ORDER.indexOf(state);

/** Returns the worst of several states. */
export function worst(states: readonly StatusState[]): StatusState {
  return states.reduce<StatusState>((worstSoFar, state) => (rank(state) > rank(worstSoFar) ? state : worstSoFar), 'ok');
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
