import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

const EXPIRING_DAYS = '60';
const LAST_SALES = 6;

/** The latest payments of a merchant, of all kinds. */
export function lastSalesQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['reports', 'last-sales', merchantId],
    queryFn: () => takePage(api.GET('/api/v1/payments', { params: { query: { merchantId, limit: LAST_SALES } } })),
  });
}

/** Open authorizations that expire within two days, the most urgent first. */
export function expiringAuthorizationsQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['reports', 'expiring-authorizations', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/transactions/expiring', { params: { query: { merchantId } } })),
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
