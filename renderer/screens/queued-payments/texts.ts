import type { QueuedPayment } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { accountText, cardText } from '#renderer/base/payment-methods';

/** Returns the saved card or bank account, such as "Visa ••1111". */
export function methodText({ card, bankAccount }: Pick<QueuedPayment, 'card' | 'bankAccount'>): string {
  return card ? cardText(card) : accountText({ last4: bankAccount?.last4 ?? '' });
}

/** Returns a sentence about what happens to the payment next, or why nothing does. */
export function nextStepText({ status, declineReason }: QueuedPayment): string {
  switch (status) {
    case 'waiting':
      return t('It is charged in its turn when the gateway answers.');
    case 'sending':
      return t('The payment is at the gateway.');
    case 'declined':
      return `${serviceText(declineReason ?? t('It was declined')).replace(/\.$/, '')}. ${t('Charge it again, make a payment link, or cancel it.')}`;
    case 'expired':
      return t('It waited for more than 24 hours. Charge it now, make a payment link, or cancel it.');
    case 'paid':
      return t('It was charged.');
    case 'replaced':
      return t('A payment link replaced it.');
    default:
      return t('It was canceled. Nothing was charged.');
  }
}
