import { queryOptions } from '@tanstack/react-query';
import { api, takePage } from './api.ts';

/** Number of a merchant's payments that are charged later and not paid yet. */
export function openQueuedPaymentsQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['queued-payments', 'open-count', merchantId],
    queryFn: async () =>
      (await takePage(api.GET('/api/v1/queued-payments', { params: { query: { merchantId, status: 'open', limit: 1 } } }))).total,
  });
}
