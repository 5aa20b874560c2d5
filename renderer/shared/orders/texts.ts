import type { OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { cardText } from '#renderer/base/payment-methods';

const KINDS = {
  cash: t('Cash'),
  check: t('Check'),
  other: t('Other'),
  gift_card: t('Gift card'),
  ach: t('Bank account'),
  card: t('Card'),
} as const;

/** Names a payment of an order: "Visa ••1111", "Cash, T-000012". A payment without an outcome says so. */
export function paymentText({ kind, card, number, state }: OrderDetail['payments'][number]): string {
  const name = card === null ? KINDS[kind] : cardText(card);
  return [name, number, state === 'reserved' ? t('outcome not known yet') : null].filter(Boolean).join(', ');
}
