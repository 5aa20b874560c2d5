import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { type Days, daysOf, PERIODS, type Period } from './days.ts';

export const TABS = [
  { id: 'today', name: 'Today' },
  { id: 'revenue', name: 'Revenue' },
  { id: 'transactions', name: 'Transactions' },
  { id: 'refunds', name: 'Refunds' },
  { id: 'declines', name: 'Declines' },
] as const;
type TabId = (typeof TABS)[number]['id'];
export type ReportId = Exclude<TabId, 'today'>;

/** By what a report adds up. Declines have their codes besides. */
export const GROUPS = [
  { id: 'code', name: 'Code' },
  { id: 'day', name: 'Day' },
  { id: 'week', name: 'Week' },
  { id: 'month', name: 'Month' },
  { id: 'brand', name: 'Brand' },
  { id: 'merchant', name: 'Merchant' },
] as const;
export type GroupId = (typeof GROUPS)[number]['id'];

interface View {
  /** A named period follows the calendar; two days stand still. */
  readonly period: Period | undefined;
  readonly days: Days;
  readonly group: GroupId | undefined;
}

export interface ViewInAddress extends View {
  readonly tab: TabId;
  readonly change: (next: Partial<Pick<View, 'group'>> & { readonly period?: Period; readonly days?: Days }) => void;
  /** What of the address another report keeps: "?period=7-days". */
  readonly search: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PERIOD_USUAL: Period = '30-days';

/** A day that the calendar has; undefined of anything else. */
function dayOf(text: string | null): string | undefined {
  if (text === null || !DAY.test(text) || Number.isNaN(Date.parse(text))) return undefined;
  return new Date(text).toISOString().slice(0, 10) === text ? text : undefined;
}

/** What is looked at, from the address and into it. */
export function useView(today: string): ViewInAddress {
  const { tab: path } = useParams();
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const tab = TABS.find(({ id }) => id === path)?.id ?? 'today';
    const from = dayOf(params.get('from'));
    const to = dayOf(params.get('to'));
    const isGiven = from !== undefined && to !== undefined && from <= to;
    const period = isGiven ? undefined : (PERIODS.find(({ id }) => id === params.get('period'))?.id ?? PERIOD_USUAL);
    const days = isGiven ? { startDate: from, endDate: to } : daysOf(period ?? PERIOD_USUAL, today);
    const group = GROUPS.find(({ id }) => id === params.get('group'))?.id;
    const now = { period, days, group };
    return {
      ...now,
      tab,
      search: searchOf({ ...now, group: undefined }),
      change: ({ period: named, days: two, group: other = group }) =>
        setParams(searchOf({ ...(named || two ? { period: named, days: two ?? days } : now), group: other }), { replace: true }),
    };
  }, [path, params, setParams, today]);
}

function searchOf({ period, days, group }: View): string {
  const said = new URLSearchParams([
    ...(period === undefined
      ? [
          ['from', days.startDate],
          ['to', days.endDate],
        ]
      : period === PERIOD_USUAL
        ? []
        : [['period', period]]),
    ...(group ? [['group', group]] : []),
  ]);
  return said.size === 0 ? '' : `?${said}`;
}

/** The day that the close tells of, from the address and into it: today unless another is named. */
export function useDay(today: string): readonly [day: string, setDay: (day: string) => void] {
  const [params, setParams] = useSearchParams();
  const given = dayOf(params.get('date'));
  const day = given !== undefined && given < today ? given : today;
  return [day, (next) => setParams(next >= today ? {} : { date: next }, { replace: true })];
}
