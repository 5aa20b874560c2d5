import { queryOptions } from '@tanstack/react-query';
import { api, takePage } from '#renderer/base/client';

/** True if a merchant has a gift card or store credit, so that the screen offers to pay with one. */
export const hasGiftCardsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['gift-cards', 'any', merchantId],
    queryFn: async () => (await takePage(api.GET('/api/v1/gift-cards', { params: { query: { merchantId, limit: 1 } } }))).items.length > 0,
  });

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
