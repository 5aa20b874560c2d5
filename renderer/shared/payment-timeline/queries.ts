import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from '#renderer/base/client';

/** Webhook deliveries about the transaction, newest first. */
export function deliveriesQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'of-transaction', transactionId],
    queryFn: () => takeData(api.GET('/api/v1/transactions/{id}/deliveries', { params: { path: { id: transactionId } } })),
  });
}
