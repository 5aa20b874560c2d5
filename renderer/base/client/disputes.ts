import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from './api.ts';

/** Figures of a merchant's disputes: those that are due, the amount at stake and the win rate. */
export const disputeSummaryQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['disputes', 'summary', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/disputes/summary', { params: { query: { merchantId } } })),
  });
