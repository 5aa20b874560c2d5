import type { PaymentMethod, Subscription } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { methodText } from '#renderer/base/payment-methods';
import { dayText } from '#renderer/kit/ui';

export const moneyOf = ({ amount, currency }: Pick<Subscription, 'amount' | 'currency'>) => writeMoney(amount, currency);

/** Returns the amount that an attempt charges now: that of the unpaid period, which a change of the subscription does not affect. */
export const dueMoneyOf = ({ amount, unpaidAmount, currency }: Pick<Subscription, 'amount' | 'unpaidAmount' | 'currency'>) =>
  writeMoney(unpaidAmount ?? amount, currency);

/** Returns the name of the customer. */
export function customerNameOf({ customer, customerId }: Pick<Subscription, 'customer' | 'customerId'>): string {
  return customer.name ?? customer.email ?? customerId;
}

type Method = Pick<PaymentMethod, 'type' | 'brand' | 'last4' | 'expiryMonth' | 'expiryYear'>;

/** "Visa ••1111, expires 12/39". */
export function methodWithExpiry(method: Method): string {
  const { expiryMonth, expiryYear } = method;
  return expiryMonth && expiryYear
    ? t('{{card}}, expires {{month}}/{{year}}', { card: methodText(method), month: expiryMonth, year: expiryYear.slice(-2) })
    : methodText(method);
}

/** Returns true if the card expires before a day. */
export function isExpiredOn(method: Method, day: string): boolean {
  const { expiryMonth, expiryYear } = method;
  if (!expiryMonth || !expiryYear) return false;
  return `20${expiryYear.slice(-2)}-${expiryMonth.padStart(2, '0')}` < day.slice(0, 7);
}

/** "Never, 3 payments made"; "After 12 payments, 3 made". */
export function endText({ endDate, totalPayments, paymentsMade }: Subscription): string {
  if (totalPayments === null) {
    const end = endDate === null ? t('Never') : t('On {{date}}', { date: dayText(endDate) });
    return [end, t('{{count, number}} payments made', { count: paymentsMade })].join(', ');
  }
  const end =
    endDate === null
      ? t('After {{count, number}} payments', { count: totalPayments })
      : t('On {{date}}, or after {{count, number}} payments', { date: dayText(endDate), count: totalPayments });
  return [end, t('{{count, number}} made', { count: paymentsMade })].join(', ');
}

/** Returns the result of the last payment for the list. */
export function lastResultText({ paymentInProgress, lastResult, lastReason }: Subscription): string {
  if (paymentInProgress) return t('Payment pending');
  if (lastResult === 'failed') {
    if (lastReason === null) return t('Declined: no reason given');
    // A reason that says "declined" itself gets no such prefix.
    return /declined/i.test(lastReason) ? serviceText(lastReason) : t('Declined: {{reason}}', { reason: serviceText(lastReason) });
  }
  if (lastReason !== null) return t('Not sent: {{reason}}', { reason: serviceText(lastReason) });
  return lastResult === 'succeeded' ? t('Paid') : t('No payments yet');
}

const CANCEL_REASONS: Readonly<Record<string, string>> = {
  payment_failed: t('All payment attempts failed'),
  customer_deleted: t('The customer was deleted'),
  deleted: t('The subscription was deleted'),
};

/** Returns the reason of a cancellation: the text of a person, or that of the service. */
export const cancelReasonText = (reason: string) => CANCEL_REASONS[reason] ?? reason;

/** Returns date and time of an upcoming attempt. */
export function retryTimeText(at: string, timeZone: string): string {
  return dateFormat({ timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}
