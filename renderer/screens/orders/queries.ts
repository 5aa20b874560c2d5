import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type OrderDetail, takeData } from '#renderer/base/client';

/** Shares of a refund by original payment, as the service proposes them; `refunded` is what was refunded before. */
export const proposalQuery = (id: string, amount: string | null, refunded: number) =>
  queryOptions({
    queryKey: ['orders', 'refund', id, amount, refunded],
    queryFn: () =>
      takeData(api.GET('/api/v1/orders/{id}/refund-proposal', { params: { path: { id }, query: amount === null ? {} : { amount } } })),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** Proposed refund of one payment, at most `refundableAmount`. */
export interface ProposedRefund {
  readonly paymentId: string;
  readonly kind: OrderDetail['payments'][number]['kind'];
  readonly amount: number;
  readonly refundableAmount: number;
}

interface Refund {
  readonly amount: string;
  readonly reason?: string;
  readonly drawer: string;
}

/** Refunds a share. Returns the refund of a tender; null for a card or a bank account. @throws ApiFailure */
export async function refundPayment({ paymentId: id, kind }: ProposedRefund, { drawer, ...body }: Refund, key: string) {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  if (kind === 'card' || kind === 'ach') {
    await takeData(api.POST('/api/v1/transactions/{id}/refund', { params, body }));
    return null;
  }
  return takeData(api.POST('/api/v1/tenders/{id}/refund', { params, body: { ...body, drawer } }));
}
