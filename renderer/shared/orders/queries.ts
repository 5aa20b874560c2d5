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

/** Orders of a page; more than a counter usually has waiting. */
const LIMIT = 100;

/** All orders of a merchant with a status, newest first. */
export async function listOrders(merchantId: string, status: Order['status']): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await takePage(api.GET('/api/v1/orders', { params: { query: { merchantId, status, limit: LIMIT, page } } }));
    orders.push(...items);
    if (items.length < LIMIT || orders.length >= total) return orders;
  }
}

/** Parked sales of a merchant, and open ones that hold money, newest first. */
export const unfinishedOrdersQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['orders', 'unfinished', merchantId],
    queryFn: async () => {
      const [parked, open] = await Promise.all([listOrders(merchantId, 'parked'), listOrders(merchantId, 'open')]);
      return { parked, holdingMoney: open.filter(({ paidAmount }) => paidAmount > 0) };
    },
    staleTime: 0,
  });

export const cancelOrder = (id: string, key: string) =>
  takeData(api.POST('/api/v1/orders/{id}/cancel', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body: {} }));
