import { type Actor, ServiceError } from '#core/kernel';
import type { ReceiptCopy } from './content.ts';
import type { Dependencies } from './dependencies.ts';
import { type OrderSubject, receivedPayments } from './order-content.ts';

/** Reads the data of an order's receipt. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED; RESOURCE_CONFLICT without a payment. */
export async function orderSubjectOf(
  deps: Dependencies,
  actor: Actor,
  orderId: string,
  copy: ReceiptCopy = 'customer',
): Promise<OrderSubject> {
  const order = await deps.orders.get(actor, orderId);
  const payments = receivedPayments(order);
  if (payments.length === 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'An order without an approved payment has no receipt.', {
      details: { reason: 'not_approved', orderId },
    });
  const merchant = await deps.merchantFor(actor, order.merchantId);
  const isTest = await Promise.all(
    payments.filter(({ number }) => number === null).map(({ paymentId }) => deps.isTestPayment(actor.tenantId, paymentId)),
  );
  return {
    order,
    merchant,
    copy,
    isSandbox: deps.environmentOf(actor.tenantId) === 'sandbox',
    isTest: isTest.includes(true),
    isDuplicate: false,
  };
}
