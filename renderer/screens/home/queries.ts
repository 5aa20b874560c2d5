import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

const LAST_SALES = 6;

/** The latest payments of a merchant, of all kinds. */
export function lastSalesQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['reports', 'last-sales', merchantId],
    queryFn: () => takePage(api.GET('/api/v1/payments', { params: { query: { merchantId, limit: LAST_SALES } } })),
  });
}

/** Settled amounts that wait for their payout, and the next settlement. */
export function payoutQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settlement', 'summary', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/summary', { params: { query: { merchantId } } })),
  });
}

/** Number of users with access to a merchant. */
export function userCountQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['users', merchantId, 'count'],
    queryFn: async () => {
      const params = { path: { merchantId }, query: { limit: 1 } };
      return (await takePage(api.GET('/api/v1/merchants/{merchantId}/users', { params }))).total;
    },
  });
}
