import { queryOptions } from '@tanstack/react-query';
import { api, type Order, queryClient, takeData, takePage } from '#renderer/base/client';

/** An order with its payments. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/orders/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });

export const refreshOrders = () => queryClient.invalidateQueries({ queryKey: ['orders'] });

/** Orders of a list; more than a counter has waiting. */
const LIMIT = 100;

/** Orders of a merchant with a status, newest first. */
export const listOrders = async (merchantId: string, status: Order['status']): Promise<readonly Order[]> =>
  (await takePage(api.GET('/api/v1/orders', { params: { query: { merchantId, status, limit: LIMIT } } }))).items;

/** Parked sales of a merchant, newest first. */
export const parkedOrdersQuery = (merchantId: string) =>
  queryOptions({ queryKey: ['orders', 'parked', merchantId], queryFn: () => listOrders(merchantId, 'parked'), staleTime: 0 });

export const cancelOrder = (id: string, key: string) =>
  takeData(api.POST('/api/v1/orders/{id}/cancel', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body: {} }));
