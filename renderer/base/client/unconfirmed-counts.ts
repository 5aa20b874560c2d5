import { queryOptions } from '@tanstack/react-query';
import { api, take } from './api.ts';

const POLL_INTERVAL_MS = 20_000;

/** Number of a merchant's unconfirmed operations. */
export function unconfirmedCountsQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['unconfirmed-payments', 'counts', merchantId],
    queryFn: async () => (await take(api.GET('/api/v1/unconfirmed-payments', { params: { query: { merchantId } } }))).counts,
    refetchInterval: POLL_INTERVAL_MS,
  });
}
