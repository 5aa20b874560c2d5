import { queryOptions } from '@tanstack/react-query';
import { api, takePage } from '#renderer/base/client';

/** Store credit of a customer that can pay; null if there is none. */
export const storeCreditQuery = (merchantId: string, customerId: string) =>
  queryOptions({
    queryKey: ['gift-cards', 'credit', merchantId, customerId],
    queryFn: async () => {
      const query = { merchantId, customerId, kind: 'store_credit', status: 'active', limit: 1 } as const;
      const { items } = await takePage(api.GET('/api/v1/gift-cards', { params: { query } }));
      return items.find(({ balance }) => balance > 0) ?? null;
    },
    staleTime: 0,
  });
