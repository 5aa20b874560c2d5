import type { InstallmentPlan } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, fullTime } from '#renderer/kit/ui';

export const INTERVALS = ['weekly', 'biweekly', 'monthly'] as const;
export type Interval = (typeof INTERVALS)[number];

export const INTERVAL_NAMES: Readonly<Record<Interval, string>> = {
  weekly: t('Every week'),
  biweekly: t('Every 2 weeks'),
  monthly: t('Every month'),
};

/** Returns the label of the button that charges the first installment, with the interval of the others; null for own dates. */
export function chargeNowText(amount: string, interval: Interval | null): string {
  switch (interval) {
    case 'weekly':
      return t('Charge {{amount}} now and every week', { amount });
    case 'biweekly':
      return t('Charge {{amount}} now and every 2 weeks', { amount });
    case 'monthly':
      return t('Charge {{amount}} now and every month', { amount });
    default:
      return t('Charge {{amount}} now', { amount });
  }
}

/** Returns a sentence about what happens next, or why nothing does. */
export function nextStepText(plan: InstallmentPlan, timeZone: string): string {
  const { status, nextNumber, nextDueDate, nextRetryAt, installments, currency, paymentInProgress, lastReason } = plan;
  const next = installments.find(({ number }) => number === nextNumber);
  const amount = next ? writeMoney(next.amountRemaining, currency) : '';
  const number = nextNumber ?? '';
  const failed = t('Installment {{number}} of {{amount}} failed.', { number, amount });
  const failure = lastReason === null ? failed : `${failed} ${serviceText(lastReason).replace(/\.$/, '')}.`;
  if (paymentInProgress) return t('A payment is at the gateway. Its outcome appears here.');
  switch (status) {
    case 'completed':
      return t('All installments are paid.');
    case 'canceled':
      return cancelText(plan);
    case 'paused':
      return plan.pauseReason === 'payment_voided'
        ? t('Paused because a payment was voided. Nothing is charged until you resume it.')
        : t('Paused. Nothing is charged until you resume it.');
    case 'past_due':
      return [
        failure,
        nextRetryAt === null
          ? t('It isn’t retried automatically.')
          : t('It is retried on {{time}}.', { time: fullTime(nextRetryAt, timeZone) }),
      ].join(' ');
    default:
      return nextRetryAt === null
        ? t('Installment {{number}} of {{amount}} is charged on {{date}}.', {
            number,
            amount,
            date: nextDueDate === null ? '' : dayText(nextDueDate),
          })
        : `${failure} ${t('It is retried on {{time}}.', { time: fullTime(nextRetryAt, timeZone) })}`;
  }
}

function cancelText({ cancelReason }: InstallmentPlan): string {
  if (cancelReason === 'invoice_canceled') return t('Canceled with its invoice.');
  if (cancelReason === 'customer_deleted') return t('Canceled because the customer was deleted. The rest of the invoice is due.');
  return cancelReason === null
    ? t('Canceled. The rest of the invoice is due.')
    : t('Canceled: {{reason}}. The rest of the invoice is due.', { reason: cancelReason });
}

/** Consent text that the screen suggests for a schedule. It is stored, therefore in English. */
export const suggestedConsent = (merchant: string, number: string): string =>
  `I authorize ${merchant} to charge this payment method for the installments of invoice ${number} on their dates.`;
