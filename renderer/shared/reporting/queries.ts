import { queryOptions } from '@tanstack/react-query';
import { api, keptQuery, takeData } from '#renderer/base/client';
import type { Days } from './days.ts';

type GroupBy = 'day' | 'week' | 'month' | 'brand' | 'merchant';

/** Query of a report; without a merchant it covers all of the tenant. */
export interface ReportQuery extends Days {
  readonly groupBy: GroupBy;
  readonly merchantId?: string;
}

/** Interval at which the time of the comparison moves on. */
const TODAY_POLL_MS = 60_000;

/** The close of a day. */
export function daySummaryQuery(merchantId: string, date: string) {
  return queryOptions({
    queryKey: ['reports', 'day', merchantId, date],
    queryFn: () => takeData(api.GET('/api/v1/reporting/daily-summary', { params: { query: { merchantId, date } } })),
  });
}

/** Today, and the same weekday of the previous week until the same time. */
export function todayQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['reports', 'today', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/reporting/today', { params: { query: { merchantId } } })),
    refetchInterval: TODAY_POLL_MS,
  });
}

export function revenueQuery(query: ReportQuery) {
  return keptQuery(['reports', 'revenue', query], (signal) =>
    takeData(api.GET('/api/v1/analytics/revenue', { params: { query }, signal })),
  );
}

export function transactionsQuery(query: ReportQuery) {
  return keptQuery(['reports', 'transactions', query], (signal) =>
    takeData(api.GET('/api/v1/analytics/transactions', { params: { query }, signal })),
  );
}

export function refundsQuery(query: ReportQuery) {
  return keptQuery(['reports', 'refunds', query], (signal) =>
    takeData(api.GET('/api/v1/analytics/refunds', { params: { query }, signal })),
  );
}
