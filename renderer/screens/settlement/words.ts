import type { Settlement, SettlementSchedule } from '#renderer/client';
import { fromMinor, toMinor } from '#renderer/money';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;
const MINUTES_AN_HOUR = 60;

/** "1 line", "3 lines". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

/** A calendar day some days later, YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** "5 h 12 min", "2 d 3 h"; "less than a minute" at the end. */
export function untilWords(atMs: number, nowMs: number): string {
  const minutes = Math.floor((atMs - nowMs) / MINUTE_MS);
  if (minutes < 1) return 'less than a minute';
  const [days, hours, rest] = [
    Math.floor(minutes / MINUTES_A_DAY),
    Math.floor((minutes % MINUTES_A_DAY) / MINUTES_AN_HOUR),
    minutes % MINUTES_AN_HOUR,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${rest} min`;
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const FREQUENCIES = [
  { value: 'daily', name: 'Every day' },
  { value: 'weekly', name: 'Every week' },
  { value: 'monthly', name: 'Every month' },
  { value: 'manual', name: 'Only by hand' },
] as const;
export type Frequency = (typeof FREQUENCIES)[number]['value'];

type Rule = Pick<SettlementSchedule, 'cutoffTime' | 'delayDays' | 'timezone' | 'weekday' | 'dayOfMonth'> & { readonly frequency: string };

/** "Every Monday at 00:00, America/New_York, dated 2 days later". */
export function ruleWords({ frequency, cutoffTime, delayDays, timezone, weekday, dayOfMonth }: Rule): string {
  const dated = delayDays === 0 ? 'dated that day' : `dated ${counted(delayDays, 'day')} later`;
  if (frequency === 'manual') return `Only by hand, ${dated}`;
  const days =
    frequency === 'weekly'
      ? `Every ${WEEKDAYS[weekday - 1]}`
      : frequency === 'monthly'
        ? `On day ${dayOfMonth} of every month${dayOfMonth > 28 ? ', at most its last' : ''}`
        : 'Every day';
  return `${days} at ${cutoffTime}, ${timezone}, ${dated}`;
}

/** Returns the unpaid amount of a settlement as the API's decimal number; negative if the settlement is. */
export function restOf({ netAmount, paidAmount, currency }: Pick<Settlement, 'netAmount' | 'paidAmount' | 'currency'>): number {
  return fromMinor(toMinor(netAmount, currency) - toMinor(paidAmount, currency), currency);
}

/** The sum of amounts of one currency, counted in its smallest unit. */
export function sumOf(amounts: readonly number[], currency: string): number {
  return fromMinor(
    amounts.reduce((sum, amount) => sum + toMinor(amount, currency), 0),
    currency,
  );
}

/** The state in which a settlement is shown: one of which a part was paid says so. */
export function shownState({ status, paidAmount }: Pick<Settlement, 'status' | 'paidAmount'>): string {
  return status === 'pending' && paidAmount !== 0 ? 'partially_paid' : status;
}
