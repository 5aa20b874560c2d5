import type { PaymentFacts } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { paidWith } from './paid-with.ts';

/** Returns the customer of a payment: name, or else email address, or an empty text. */
export const customerOf = (payment: Pick<PaymentFacts, 'customer'> | null): string =>
  payment?.customer?.name ?? payment?.customer?.email ?? '';

/** Returns the facts by which a person recognizes a payment, such as "Ada Marlow, Visa ••1111, order 1042". */
export function paymentFactsText(payment: PaymentFacts | null): string {
  if (payment === null) return '';
  const order = payment.orderNumber ?? payment.orderId;
  return [customerOf(payment), paidWith(payment), order && t('order {{order}}', { order })].filter(Boolean).join(', ');
}
