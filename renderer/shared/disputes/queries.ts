import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

export function disputeQuery(id: string) {
  return queryOptions({
    queryKey: ['disputes', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/disputes/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });
}

/** Largest number of disputes of a payment that are shown; a payment has one active dispute, and rarely more than two in all. */
const DISPUTES_MAX = 10;

/** The disputes of a payment with the money that they moved, newest first. */
export function disputesOfPaymentQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['disputes', 'of-payment', transactionId],
    queryFn: async () => {
      const query = { transactionId, limit: DISPUTES_MAX };
      const { items } = await takePage(api.GET('/api/v1/disputes', { params: { query } }));
      return Promise.all(items.map(({ disputeId: id }) => takeData(api.GET('/api/v1/disputes/{id}', { params: { path: { id } } }))));
    },
  });
}
