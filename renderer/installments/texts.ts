import type { InstallmentPlan, PaymentMethod } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { dayText, exactTime } from '#renderer/ui';

export const INTERVALS = ['weekly', 'biweekly', 'monthly'] as const;
export type Interval = (typeof INTERVALS)[number];

const INTERVAL_TEXTS: Readonly<Record<Interval, string>> = { weekly: 'every week', biweekly: 'every 2 weeks', monthly: 'every month' };
export const intervalText = (interval: Interval): string => INTERVAL_TEXTS[interval];

type Method = Pick<PaymentMethod, 'type' | 'brand' | 'last4'>;

/** "Visa 1111". */
export function methodName({ type, brand, last4 }: Method): string {
  const name = brand === null ? 'Card' : brand.charAt(0).toUpperCase() + brand.slice(1);
  return `${type === 'ach' ? 'Bank account' : name} ${last4}`;
}

/** Returns a sentence about what happens next, or why nothing does. */
export function nextStepText(plan: InstallmentPlan, timeZone: string): string {
  const { status, nextNumber, nextDueDate, nextRetryAt, installments, currency, paymentInProgress, lastReason } = plan;
  const next = installments.find(({ number }) => number === nextNumber);
  const amount = next ? writeMoney(next.amountRemaining, currency) : '';
  const reason = lastReason === null ? '' : ` ${lastReason.replace(/\.$/, '')}.`;
  if (paymentInProgress) return 'A payment is at the gateway. Its outcome appears here.';
  switch (status) {
    case 'completed':
      return 'All installments are paid.';
    case 'canceled':
      return cancelText(plan);
    case 'paused':
      return plan.pauseReason === 'payment_voided'
        ? 'Paused because a payment was voided. Nothing is charged until you resume it.'
        : 'Paused. Nothing is charged until you resume it.';
    case 'past_due':
      return `Installment ${nextNumber} of ${amount} failed.${reason} ${retryText(nextRetryAt, timeZone) ?? 'It isn’t retried automatically.'}`;
    default:
      return nextRetryAt === null
        ? `Installment ${nextNumber} of ${amount} is charged on ${nextDueDate === null ? '' : dayText(nextDueDate)}.`
        : `Installment ${nextNumber} of ${amount} failed.${reason} ${retryText(nextRetryAt, timeZone)}`;
  }
}

function retryText(nextRetryAt: string | null, timeZone: string): string | null {
  return nextRetryAt === null ? null : `It is retried on ${exactTime(nextRetryAt, timeZone)}.`;
}

function cancelText({ cancelReason }: InstallmentPlan): string {
  if (cancelReason === 'invoice_canceled') return 'Canceled with its invoice.';
  if (cancelReason === 'customer_deleted') return 'Canceled because the customer was deleted. The rest of the invoice is due.';
  return `Canceled${cancelReason === null ? '' : `: ${cancelReason}`}. The rest of the invoice is due.`;
}

/** Consent text that the screen suggests for a schedule. */
export const suggestedConsent = (merchant: string, number: string): string =>
  `I authorize ${merchant} to charge this payment method for the installments of invoice ${number} on their dates.`;
