import { queryOptions } from '@tanstack/react-query';
import { api, type Order, type OrderDetail, queryClient, takeData, takePage } from '#renderer/base/client';

/** Orders of the list; more than a counter has waiting. */
const LIMIT = 100;

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/orders/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });

/** Parked orders of a merchant, and open ones, whose payment was not finished, newest first. */
export const waitingOrdersQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['orders', 'waiting', merchantId],
    queryFn: async (): Promise<readonly Order[]> => {
      const ofStatus = async (status: 'parked' | 'open') =>
        (await takePage(api.GET('/api/v1/orders', { params: { query: { merchantId, status, limit: LIMIT } } }))).items;
      return (await Promise.all([ofStatus('parked'), ofStatus('open')])).flat();
    },
    staleTime: 0,
  });

export const refreshOrders = () => queryClient.invalidateQueries({ queryKey: ['orders'] });

export const cancelOrder = (id: string, key: string) =>
  takeData(api.POST('/api/v1/orders/{id}/cancel', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body: {} }));

type Payment = OrderDetail['payments'][number];

/** Payment of an order with the way in which its money goes back. */
export interface ReturnablePayment {
  readonly payment: Payment;
  readonly way: 'void' | 'refund' | 'tender-refund';
}

/** Returns the payments of an order that still have money, each with the way in which it goes back now. */
export async function returnablePayments({ payments }: OrderDetail): Promise<ReturnablePayment[]> {
  const held = payments.filter(
    ({ state, amount, refundedAmount, shareAmount, returnedAmount }) =>
      state === 'paid' && returnedAmount < shareAmount && refundedAmount < amount,
  );
  return Promise.all(
    held.map(async (payment) => {
      if (payment.number !== null) return { payment, way: 'tender-refund' as const };
      const { actions } = await takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id: payment.paymentId } } }));
      return { payment, way: actions.void.allowed ? ('void' as const) : ('refund' as const) };
    }),
  );
}

/** Returns the money of a payment. @throws ApiFailure */
export async function returnPayment({ payment, way }: ReturnablePayment, key: string): Promise<void> {
  const params = { path: { id: payment.paymentId }, header: { 'Idempotency-Key': key } };
  const reason = 'order canceled';
  if (way === 'void') await takeData(api.POST('/api/v1/transactions/{id}/void', { params, body: { reason } }));
  else if (way === 'refund') await takeData(api.POST('/api/v1/transactions/{id}/refund', { params, body: { reason } }));
  else await takeData(api.POST('/api/v1/tenders/{id}/refund', { params, body: { reason } }));
}
