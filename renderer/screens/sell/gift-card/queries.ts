import { queryOptions } from '@tanstack/react-query';
import { api, takePage } from '#renderer/base/client';

/** Currencies in which a customer can have store credit. */
const CURRENCIES = 20;

/** Store credit of a customer that can pay in a currency; null if there is none. */
export const storeCreditQuery = (merchantId: string, customerId: string, currency: string) =>
  queryOptions({
    queryKey: ['gift-cards', 'credit', merchantId, customerId, currency],
    queryFn: async () => {
      const query = { merchantId, customerId, kind: 'store_credit', status: 'active', limit: CURRENCIES } as const;
      const { items } = await takePage(api.GET('/api/v1/gift-cards', { params: { query } }));
      return items.find((credit) => credit.currency === currency && credit.balance > 0) ?? null;
    },
    staleTime: 0,
  });
