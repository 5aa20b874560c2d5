import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/client';

const FOUND = 20;

/** Customers by what was typed. */
export function foundQuery(merchantId: string, q: string) {
  const query = { merchantId, limit: FOUND, ...(q !== '' && { q }) };
  return queryOptions({
    queryKey: ['customers', 'found', query],
    queryFn: async ({ signal }) => (await takePage(api.GET('/api/v1/customers', { params: { query }, signal }))).items,
    placeholderData: keepPreviousData,
  });
}

/** One customer, for what begins with them. */
export function customerQuery(id: string) {
  return queryOptions({
    queryKey: ['customers', 'named', id],
    queryFn: () => takeData(api.GET('/api/v1/customers/{id}', { params: { path: { id } } })),
  });
}
