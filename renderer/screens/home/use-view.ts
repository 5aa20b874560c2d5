import { persist } from 'zustand/middleware';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { createStore } from '#renderer/base/module-state';
import { useMe } from '#renderer/session/user';
import { comparedDays, type Days, daysOf, weekBefore, weekdayName, weekdayText } from '#renderer/shared/reporting';

export const PERIODS = [
  ['today', t('Today')],
  ['yesterday', t('Yesterday')],
  ['7-days', t('Last 7 days')],
  ['4-weeks', t('Last 4 weeks')],
  ['month', t('This month')],
] as const;
export const COMPARISONS = [
  ['before', t('Same days before')],
  ['last-year', t('Last year')],
  ['none', t('No comparison')],
] as const;
type Period = (typeof PERIODS)[number][0];
const CHARTED_NAMES: Readonly<Record<Period, string>> = {
  today: t('last 7 days'),
  yesterday: t('7 days to yesterday'),
  '7-days': t('last 7 days'),
  '4-weeks': t('last 4 weeks'),
  month: t('this month'),
};
type Comparison = (typeof COMPARISONS)[number][0];

interface Choice {
  readonly period: Period;
  readonly compare: Comparison;
}

/** The last choice of each person on this workstation. */
const useChoices = createStore<{ readonly byUser: Readonly<Record<string, Choice>> }>()(
  persist((): { readonly byUser: Readonly<Record<string, Choice>> } => ({ byUser: {} }), { name: 'paydesk.home', version: 1 }),
);

const ADDRESS = addressSchema({
  period: oneOf(PERIODS.map(([id]) => id)),
  compare: oneOf(COMPARISONS.map(([id]) => id)),
});
const WEEK_DAYS = 7;
const FOUR_WEEKS = 28;

export interface View extends Choice {
  readonly days: Days;
  /** Days with which `days` are compared; null without a comparison. */
  readonly compared: Days | null;
  /** Name of the compared days, such as "last Monday". */
  readonly comparedName: string;
  /** Days of the chart: a single day is shown with the six days before it. */
  readonly charted: Days;
  readonly chartedName: string;
  readonly chartedBefore: Days | null;
  readonly change: (next: Partial<Choice>) => void;
}

/** Period and comparison of Home: in the address, and otherwise the last choice of the person. */
export function useView(today: string): View {
  const { userId } = useMe().user;
  const { values, go } = useAddress(ADDRESS);
  const kept = useChoices(({ byUser }) => byUser[userId]);
  const period = values.period ?? kept?.period ?? 'today';
  const compare = values.compare ?? kept?.compare ?? 'before';
  const days = daysIn(period, today);
  const isDay = days.startDate === days.endDate;
  const charted = isDay ? { startDate: addDays(days.endDate, 1 - WEEK_DAYS), endDate: days.endDate } : days;
  const before = (of: Days): Days | null => {
    if (compare === 'none') return null;
    if (compare === 'last-year') return comparedDays(of, 'year');
    return isDay ? { startDate: weekBefore(of.startDate), endDate: weekBefore(of.endDate) } : comparedDays(of, 'previous');
  };
  return {
    period,
    compare,
    days,
    compared: before(days),
    comparedName: nameOf(before(days), period, compare),
    charted,
    chartedName: CHARTED_NAMES[period],
    chartedBefore: before(charted),
    change(next) {
      const choice = { period, compare, ...next };
      useChoices.setState(({ byUser }) => ({ byUser: { ...byUser, [userId]: choice } }));
      go(choice);
    },
  };
}

function nameOf(compared: Days | null, period: Period, compare: Comparison): string {
  if (compared === null) return '';
  if (compared.startDate !== compared.endDate) return compare === 'last-year' ? t('last year') : t('the days before');
  return period === 'today' && compare === 'before'
    ? t('last {{weekday}}', { weekday: weekdayName(compared.startDate) })
    : weekdayText(compared.startDate);
}

function daysIn(period: Period, today: string): Days {
  switch (period) {
    case 'today':
      return { startDate: today, endDate: today };
    case 'yesterday':
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) };
    case '4-weeks':
      return { startDate: addDays(today, 1 - FOUR_WEEKS), endDate: today };
    default:
      return daysOf(period, today);
  }
}
