import type { PaymentFacts } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { paidWith } from './paid-with.ts';

/** Returns the customer of a payment: name, or else email address, or an empty text. */
export const customerOf = (payment: PaymentFacts | null): string => payment?.customer?.name ?? payment?.customer?.email ?? '';

/** Returns the facts by which a person recognizes a payment, such as "Ada Marlow, Visa ••1111, order 1042". */
export function paymentFactsText(payment: PaymentFacts | null): string {
  if (payment === null) return '';
  return [customerOf(payment), paidWith(payment), payment.orderId && t('order {{order}}', { order: payment.orderId })]
    .filter(Boolean)
    .join(', ');
}
