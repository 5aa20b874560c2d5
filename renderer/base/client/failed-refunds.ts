import { queryOptions } from '@tanstack/react-query';
import { api, takePage } from './api.ts';

/** Number of entries of the refund queue without remaining attempts, which require a person. */
export const failedRefundsQuery = queryOptions({
  queryKey: ['refund-queue', 'failed-count'],
  queryFn: async () =>
    (await takePage(api.GET('/api/v1/refund-decline-queue', { params: { query: { status: 'failed', limit: 1 } } }))).total,
});
