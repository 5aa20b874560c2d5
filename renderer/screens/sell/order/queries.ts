import { queryOptions } from '@tanstack/react-query';
import { api, type Order, type OrderDetail, takeData } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
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

/** Payment of an order with the way in which its money goes back. Only `cash` leaves the drawer. */
export interface ReturnablePayment {
  readonly payment: Payment;
  readonly way: 'void' | 'refund' | 'cash' | 'gift-card' | 'tender';
}

/** A cancellation of an order: the payments that are returned first, and the reason why the order cannot be canceled; null if it can. */
export interface Cancellation {
  readonly returned: readonly ReturnablePayment[];
  readonly refusal: string | null;
}

/** Returns what a cancellation of an order does now. */
export async function readCancellation(orderId: string): Promise<Cancellation> {
  const order = await takeData(api.GET('/api/v1/orders/{id}', { params: { path: { id: orderId } } }));
  const returned = await returnablePayments(order);
  return { returned, refusal: refusalOf(order, returned) };
}

/** Returns the person who has an open order; null for a parked one, which is free. */
export const holderOf = ({ status, resumedBy, createdBy }: Order): string | null => (status === 'open' ? (resumedBy ?? createdBy) : null);

/** Returns the reason why the caller cannot continue an open order; null if nothing prevents it. */
export const payRefusalOf = ({ status, actions: { pay } }: OrderDetail): string | null =>
  status !== 'open' || pay.allowed ? null : serviceText(pay.message ?? '');

function refusalOf(order: OrderDetail, returned: readonly ReturnablePayment[]): string | null {
  const { reservedAmount, actions } = order;
  const { cancel } = actions;
  const payRefusal = payRefusalOf(order);
  if (payRefusal !== null) return payRefusal;
  if (reservedAmount > 0) return t('The outcome of a payment is not known yet. Nothing is returned before it is. Try again later.');
  // A conflict with payments ends when they are returned.
  const endsWithReturns = cancel.code === 'RESOURCE_CONFLICT' && returned.length > 0;
  return cancel.allowed || endsWithReturns ? null : serviceText(cancel.message ?? '');
}

const TENDER_WAYS: Readonly<Partial<Record<Payment['kind'], ReturnablePayment['way']>>> = { cash: 'cash', gift_card: 'gift-card' };

/** Returns the payments of an order that still have money, each with the way in which it goes back now. */
async function returnablePayments({ payments }: OrderDetail): Promise<ReturnablePayment[]> {
  const held = payments.filter(
    ({ state, amount, refundedAmount, shareAmount, returnedAmount }) =>
      state === 'paid' && returnedAmount < shareAmount && refundedAmount < amount,
  );
  return Promise.all(
    held.map(async (payment) => {
      if (payment.number !== null) return { payment, way: TENDER_WAYS[payment.kind] ?? ('tender' as const) };
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
