import type { Settlement, SettlementLine, SettlementSchedule, SettlementSummary } from '#renderer/base/client';
import { timeZoneName } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { fromMinor, toMinor, writeAmount } from '#renderer/base/money';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;
const MINUTES_AN_HOUR = 60;

/** Status chip of each kind of line. */
export const LINE_CHIPS: Readonly<Record<SettlementLine['kind'], { readonly state: string; readonly label: string }>> = {
  capture: { state: 'captured', label: t('Captured') },
  refund: { state: 'refunded', label: t('Refunded') },
  chargeback: { state: 'disputed', label: t('Charged back') },
  chargeback_reversed: { state: 'won', label: t('Chargeback reversed') },
  dispute_fee: { state: 'disputed', label: t('Dispute fee') },
};

/** Formats the remaining time: "5 h 12 min", "2 d 3 h", "less than a minute". */
export function timeUntilText(atMs: number, nowMs: number): string {
  const minutes = Math.floor((atMs - nowMs) / MINUTE_MS);
  if (minutes < 1) return t('less than a minute');
  const [days, hours, rest] = [
    Math.floor(minutes / MINUTES_A_DAY),
    Math.floor((minutes % MINUTES_A_DAY) / MINUTES_AN_HOUR),
    minutes % MINUTES_AN_HOUR,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${rest} min`;
}

export const WEEKDAYS = [t('Monday'), t('Tuesday'), t('Wednesday'), t('Thursday'), t('Friday'), t('Saturday'), t('Sunday')] as const;

const EVERY_WEEKDAY = [
  t('Every Monday'),
  t('Every Tuesday'),
  t('Every Wednesday'),
  t('Every Thursday'),
  t('Every Friday'),
  t('Every Saturday'),
  t('Every Sunday'),
] as const;

export const FREQUENCIES = [
  { value: 'daily', name: t('Every day') },
  { value: 'weekly', name: t('Every week') },
  { value: 'monthly', name: t('Every month') },
  { value: 'manual', name: t('Manual') },
] as const;
export type Frequency = (typeof FREQUENCIES)[number]['value'];

type ScheduleRule = Pick<SettlementSchedule, 'cutoffTime' | 'delayDays' | 'timezone' | 'weekday' | 'dayOfMonth'> & {
  readonly frequency: string;
};

/** "Every Monday at 00:00, Eastern Time (New York), dated 2 days later". */
export function scheduleText({ frequency, cutoffTime, delayDays, timezone, weekday, dayOfMonth }: ScheduleRule): string {
  const dated = delayDays === 0 ? t('dated that day') : t('dated {{count, number}} days later', { count: delayDays });
  if (frequency === 'manual') return `${t('Manual')}, ${dated}`;
  const days = frequency === 'weekly' ? EVERY_WEEKDAY[weekday - 1] : frequency === 'monthly' ? everyMonthText(dayOfMonth) : t('Every day');
  return `${t('{{days}} at {{time}}', { days: days ?? '', time: cutoffTime })}, ${timeZoneName(timezone)}, ${dated}`;
}

const everyMonthText = (day: number) =>
  day > 28 ? t('On day {{day}} of every month, or its last day', { day }) : t('On day {{day}} of every month', { day });

/** Returns the unpaid amount of a settlement as the API's decimal number; negative if the settlement is. */
export function unpaidAmount({ netAmount, paidAmount, currency }: Pick<Settlement, 'netAmount' | 'paidAmount' | 'currency'>): number {
  return fromMinor(toMinor(netAmount, currency) - toMinor(paidAmount, currency), currency);
}

/** Returns the sum of amounts of one currency, calculated in minor units. */
export function sumOf(amounts: readonly number[], currency: string): number {
  return fromMinor(
    amounts.reduce((sum, amount) => sum + toMinor(amount, currency), 0),
    currency,
  );
}

/**
 * Returns the displayed status of a settlement: `partially_paid` if a part of it was paid out, and `in_payout` if all of it is in a payout that
 * the bank has not paid yet.
 */
export function shownState({ status, paidAmount, netAmount }: Pick<Settlement, 'status' | 'paidAmount' | 'netAmount'>): string {
  if (status !== 'pending' || paidAmount === 0) return status;
  return paidAmount === netAmount ? 'in_payout' : 'partially_paid';
}

/** Returns the parts of the unsettled amount, which alone does not say that disputes are taken off; undefined without disputes. */
export function unsettledPartsText({ unsettled, unsettledDisputesAmount, currency }: SettlementSummary): string | undefined {
  if (unsettledDisputesAmount === 0) return undefined;
  const write = (amount: number) => writeAmount(amount, currency).replace('-', '−');
  return t('Payments {{payments}}, disputes and fees {{disputes}}', {
    payments: write(sumOf([unsettled.amount, -unsettledDisputesAmount], currency)),
    disputes: write(unsettledDisputesAmount),
  });
}

/** Returns the number of settlements that are not paid in full. Payouts on their way may cover all of them. */
export const unpaidCountText = ({ count }: { readonly count: number }): string => t('{{count, number}} settlements', { count });

/** Returns the number of settlements in a list of those that are not paid, and how many of them are wholly in payouts. */
export const unpaidListText = (listed: number, { count }: { readonly count: number }): string =>
  [
    ...(count > 0 || listed === 0 ? [unpaidCountText({ count })] : []),
    ...(listed > count ? [t('{{count, number}} settlements on their way', { count: listed - count })] : []),
  ].join(' · ');
