import { useQuery } from '@tanstack/react-query';
import type { RevenueAnalysis, TodayComparison, TransactionAnalysis } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type Days, revenueQuery, todayQuery, transactionsQuery } from '#renderer/shared/reporting';
import type { View } from './use-view.ts';

export const MEASURES = ['netSales', 'sales', 'refunds', 'approvalRate'] as const;
export type Measure = (typeof MEASURES)[number];
export type Figures = Readonly<Record<Measure, number>>;

/** Figures of each day of some days. */
interface Series {
  readonly total: Figures;
  readonly byDay: readonly (Figures & { readonly day: string })[];
}

export interface HomeFigures {
  readonly currency: string;
  readonly now: Figures;
  /** Figures of the compared days; null without a comparison. */
  readonly before: Figures | null;
  readonly chart: Series;
  readonly chartBefore: Series | null;
}

export const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  netSales: t('Net sales'),
  sales: t('Number of sales'),
  refunds: t('Refunds'),
  approvalRate: t('Approval rate'),
};

type Sums<Analysis extends { readonly totals: object }> = Analysis['totals'];

function figuresOf(revenue: Sums<RevenueAnalysis>, transactions: Sums<TransactionAnalysis>): Figures {
  return {
    netSales: revenue.gross - revenue.refunds - revenue.giftCardsSold,
    sales: revenue.salesCount,
    refunds: revenue.refunds,
    approvalRate: transactions.approvalRate,
  };
}

function figuresOfPart(part: TodayComparison['today']): Figures {
  return {
    netSales: part.salesAmount - part.refundsAmount - part.giftCardsSoldAmount,
    sales: part.salesCount,
    refunds: part.refundsAmount,
    approvalRate: part.approvalRate,
  };
}

function seriesOf(revenue: RevenueAnalysis, transactions: TransactionAnalysis): Series {
  const byDay = revenue.series.flatMap((point) => {
    const same = transactions.series.find(({ key }) => key === point.key);
    return same === undefined ? [] : [{ day: point.key, ...figuresOf(point, same) }];
  });
  return { total: figuresOf(revenue.totals, transactions.totals), byDay };
}

/** Returns the figures of Home. Today is compared with the same part of its day, and other days with whole days. */
export function useFigures(merchantId: string, view: View) {
  const { period, compare, days, compared, charted, chartedBefore } = view;
  const forDays = (of: Days) => ({ ...of, groupBy: 'day' as const, merchantId });
  const revenue = useQuery(revenueQuery(forDays(charted)));
  const transactions = useQuery(transactionsQuery(forDays(charted)));
  const revenueBefore = useQuery({ ...revenueQuery(forDays(chartedBefore ?? charted)), enabled: chartedBefore !== null });
  const transactionsBefore = useQuery({ ...transactionsQuery(forDays(chartedBefore ?? charted)), enabled: chartedBefore !== null });
  const today = useQuery({ ...todayQuery(merchantId), enabled: period === 'today' });
  const queries = [
    revenue,
    transactions,
    ...(chartedBefore === null ? [] : [revenueBefore, transactionsBefore]),
    ...(period === 'today' ? [today] : []),
  ];
  const retry = () => Promise.all(queries.filter(({ isError }) => isError).map((query) => query.refetch()));
  const error = queries.find((query) => query.error !== null)?.error ?? null;
  return { error, retry, data: read() };

  function read(): HomeFigures | undefined {
    if (!revenue.data || !transactions.data || (period === 'today' && !today.data)) return undefined;
    if (chartedBefore !== null && (!revenueBefore.data || !transactionsBefore.data)) return undefined;
    const chart = seriesOf(revenue.data, transactions.data);
    const chartBefore =
      chartedBefore === null || !revenueBefore.data || !transactionsBefore.data
        ? null
        : seriesOf(revenueBefore.data, transactionsBefore.data);
    const of = (series: Series, { startDate, endDate }: Days) =>
      startDate === endDate ? (series.byDay.find(({ day }) => day === endDate) ?? series.total) : series.total;
    const isPartial = period === 'today' && today.data !== undefined;
    return {
      currency: revenue.data.currency,
      now: isPartial && today.data ? figuresOfPart(today.data.today) : of(chart, days),
      before:
        isPartial && today.data && compare === 'before'
          ? figuresOfPart(today.data.weekBefore)
          : chartBefore && compared && of(chartBefore, compared),
      chart,
      chartBefore,
    };
  }
}
