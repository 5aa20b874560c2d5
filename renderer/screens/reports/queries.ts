import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/client';
import type { Days } from './days.ts';

type GroupBy = 'day' | 'week' | 'month' | 'brand' | 'merchant';

/** Query of a report; without a merchant it covers all of the tenant. */
export interface ReportQuery extends Days {
  readonly groupBy: GroupBy;
  readonly merchantId?: string;
}

const EXPIRING_DAYS = '60';

/** The close of a day. */
export function daySummaryQuery(merchantId: string, date: string) {
  return queryOptions({
    queryKey: ['reports', 'day', merchantId, date],
    queryFn: () => takeData(api.GET('/api/v1/reporting/daily-summary', { params: { query: { merchantId, date } } })),
  });
}

export function revenueQuery(query: ReportQuery) {
  return queryOptions({
    queryKey: ['reports', 'revenue', query],
    queryFn: ({ signal }) => takeData(api.GET('/api/v1/analytics/revenue', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function transactionsQuery(query: ReportQuery) {
  return queryOptions({
    queryKey: ['reports', 'transactions', query],
    queryFn: ({ signal }) => takeData(api.GET('/api/v1/analytics/transactions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function refundsQuery(query: ReportQuery) {
  return queryOptions({
    queryKey: ['reports', 'refunds', query],
    queryFn: ({ signal }) => takeData(api.GET('/api/v1/analytics/refunds', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Settled amounts that wait for their payout, and the next settlement. */
export function payoutQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settlement', 'summary', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/summary', { params: { query: { merchantId } } })),
  });
}

/** Number of a merchant's past due subscriptions. */
export function pastDueQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['recurring', 'past-due-count', merchantId],
    queryFn: async () => (await takeData(api.GET('/api/v1/recurring/summary', { params: { query: { merchantId } } }))).counts.past_due ?? 0,
  });
}

/** Number of overdue invoices. */
export function overdueQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['invoices', 'overdue-count', merchantId],
    queryFn: async () => (await takeData(api.GET('/api/v1/invoices/summary', { params: { query: { merchantId } } }))).overdue.count,
  });
}

/** Number of stored cards that expire within two months. */
export function expiringQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['customers', 'expiring-count', merchantId],
    queryFn: async () => {
      const query = { merchantId, days: EXPIRING_DAYS, limit: 1 };
      return (await takePage(api.GET('/api/v1/customers/expiring-cards', { params: { query } }))).total;
    },
  });
}

/** Unexplained discrepancies of a month, and the newest day that has one. */
export function discrepanciesQuery(merchantId: string, month: string) {
  return queryOptions({
    queryKey: ['settlement', 'open-discrepancies', merchantId, month],
    queryFn: async () => {
      const days = await takeData(api.GET('/api/v1/settlement/reconciliation/days', { params: { query: { merchantId, month } } }));
      const open = days.filter(({ openCount }) => openCount > 0);
      const dates = open.map(({ date }) => date).sort();
      return { count: open.reduce((sum, { openCount }) => sum + openCount, 0), date: dates.at(-1) };
    },
  });
}
