import { useMemo } from 'react';
import { useParams } from 'react-router';
import { addressSchema, day, oneOf, useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { type Days, daysOf, PERIODS, type Period } from '#renderer/shared/reporting';

export const TABS = [
  { id: 'revenue', name: t('Revenue') },
  { id: 'transactions', name: t('Transactions') },
  { id: 'refunds', name: t('Refunds') },
  { id: 'declines', name: t('Declines') },
  { id: 'items', name: t('Items') },
  { id: 'gift-cards', name: t('Gift cards') },
  { id: 'settlements', name: t('Settlements') },
  { id: 'daily-close', name: t('Daily close') },
] as const;
type TabId = (typeof TABS)[number]['id'];
export type ReportId = Exclude<TabId, 'daily-close' | 'settlements' | 'items' | 'gift-cards'>;

/** Groupings of a report. Declines can also be grouped by code. */
export const GROUPS = [
  { id: 'code', name: t('Code'), announcement: t('Grouped by code') },
  { id: 'day', name: t('Day'), announcement: t('Grouped by day') },
  { id: 'week', name: t('Week'), announcement: t('Grouped by week') },
  { id: 'month', name: t('Month'), announcement: t('Grouped by month') },
  { id: 'brand', name: t('Brand'), announcement: t('Grouped by brand') },
  { id: 'merchant', name: t('Merchant'), announcement: t('Grouped by merchant') },
] as const;
export type GroupId = (typeof GROUPS)[number]['id'];

/** Charts of a report over time. Other groupings are breakdowns. */
const TIME_CHARTS = ['bars', 'line'] as const;
export type TimeChartKind = (typeof TIME_CHARTS)[number];

export const COMPARISONS = [
  { id: 'none', name: t('No comparison') },
  { id: 'previous', name: t('Previous period') },
  { id: 'year', name: t('Previous year') },
] as const;
export type Comparison = (typeof COMPARISONS)[number]['id'];

interface View {
  /** A named period, which follows the calendar; undefined for fixed dates. */
  readonly period: Period | undefined;
  readonly days: Days;
  readonly group: GroupId | undefined;
  readonly chart: TimeChartKind;
  readonly compare: Comparison;
}

export interface ViewInAddress extends View {
  readonly tab: TabId;
  readonly change: (next: Partial<Pick<View, 'group' | 'chart' | 'compare'>> & { readonly period?: Period; readonly days?: Days }) => void;
  /** Query part of the address that another report keeps: "?period=7-days". */
  readonly search: string;
}

const DEFAULT_PERIOD: Period = '30-days';
const ADDRESS = addressSchema({
  from: day,
  to: day,
  period: oneOf(
    PERIODS.map(({ id }) => id),
    DEFAULT_PERIOD,
  ),
  group: oneOf(GROUPS.map(({ id }) => id)),
  chart: oneOf(TIME_CHARTS, 'bars'),
  compare: oneOf(
    COMPARISONS.map(({ id }) => id),
    'previous',
  ),
});

/** State of the reports in their address. */
export function useView(today: string): ViewInAddress {
  const { tab: path } = useParams();
  const { values, go } = useAddress(ADDRESS);
  return useMemo(() => {
    const tab = TABS.find(({ id }) => id === path)?.id ?? 'revenue';
    const { from, to, group, chart, compare } = values;
    const given = from !== undefined && to !== undefined && from <= to ? { startDate: from, endDate: to } : undefined;
    const period = given ? undefined : values.period;
    const days = given ?? daysOf(period ?? DEFAULT_PERIOD, today);
    const now = { period, days, group, chart, compare };
    return {
      ...now,
      tab,
      search: ADDRESS.search(valuesOf({ ...now, group: undefined })),
      change: ({ period: named, days: two, ...other }) =>
        go(valuesOf({ ...now, ...(named || two ? { period: named, days: two ?? days } : {}), ...other }), { replace: true }),
    };
  }, [path, values, go, today]);
}

const valuesOf = ({ period, days, ...view }: View) =>
  period === undefined ? { from: days.startDate, to: days.endDate, ...view } : { period, ...view };

const DAY_ADDRESS = addressSchema({ date: day });

/** Day of the daily close, kept in the address; today by default. */
export function useDay(today: string): readonly [day: string, setDay: (day: string) => void] {
  const { values, go } = useAddress(DAY_ADDRESS);
  const shown = values.date !== undefined && values.date < today ? values.date : today;
  return [shown, (next) => go(next >= today ? {} : { date: next }, { replace: true })];
}
