import type { LaterPayment } from '#renderer/client';
import { sentenceCase } from '#renderer/ui';

/** Returns the saved card or bank account, such as "Visa ending in 1111". */
export function methodText({ card, bankAccount }: Pick<LaterPayment, 'card' | 'bankAccount'>): string {
  return card ? `${sentenceCase(card.brand)} ending in ${card.last4}` : `Bank account ending in ${bankAccount?.last4 ?? ''}`;
}

/** Returns a sentence about what happens to the payment next, or why nothing does. */
export function nextStepText({ status, declineReason }: LaterPayment): string {
  switch (status) {
    case 'waiting':
      return 'It is charged in its turn when the gateway answers.';
    case 'sending':
      return 'The payment is at the gateway.';
    case 'declined':
      return `${(declineReason ?? 'It was declined').replace(/\.$/, '')}. Charge it again, make a payment link, or cancel it.`;
    case 'expired':
      return 'It waited for more than 24 hours. Charge it now, make a payment link, or cancel it.';
    case 'paid':
      return 'It was charged.';
    case 'replaced':
      return 'A payment link replaced it.';
    default:
      return 'It was canceled. Nothing was charged.';
  }
}
