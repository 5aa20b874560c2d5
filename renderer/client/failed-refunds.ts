import { queryOptions } from '@tanstack/react-query';
import { api, takePage } from './api.ts';

/** How many entries of the refund decline queue used up their attempts and need a person. */
export const failedRefundsQuery = queryOptions({
  queryKey: ['refund-queue', 'failed-count'],
  queryFn: async () =>
    (await takePage(api.GET('/api/v1/refund-decline-queue', { params: { query: { status: 'failed', limit: 1 } } }))).total,
});
