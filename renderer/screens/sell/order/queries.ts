import { queryOptions } from '@tanstack/react-query';
import { api, type Order, type OrderDetail, takeData } from '#renderer/base/client';
import { listOrders } from '#renderer/shared/orders';

/** Parked orders of a merchant, and open ones, whose payment was not finished, newest first; one that is paid at this till is open too. */
export const waitingOrdersQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['orders', 'waiting', merchantId],
    queryFn: async (): Promise<readonly Order[]> => {
      return (await Promise.all([listOrders(merchantId, 'parked'), listOrders(merchantId, 'open')])).flat();
    },
    staleTime: 0,
  });

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

/** Refund of a tender, which is paid out at the counter. */
export interface PaidOut {
  readonly refundId: string;
  readonly number: string;
  readonly amount: number;
  readonly roundingAmount: number;
}

/** Returns the money of a payment; for a tender the refund, which the drawer of this workstation pays. @throws ApiFailure */
export async function returnPayment({ payment, way }: ReturnablePayment, drawer: string, key: string): Promise<PaidOut | null> {
  const params = { path: { id: payment.paymentId }, header: { 'Idempotency-Key': key } };
  const reason = 'order canceled';
  if (way === 'void') await takeData(api.POST('/api/v1/transactions/{id}/void', { params, body: { reason } }));
  else if (way === 'refund') await takeData(api.POST('/api/v1/transactions/{id}/refund', { params, body: { reason } }));
  else return takeData(api.POST('/api/v1/tenders/{id}/refund', { params, body: { reason, drawer } }));
  return null;
}
