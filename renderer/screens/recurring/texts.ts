import type { PaymentMethod, Subscription } from '#renderer/client';
import { dateFormat } from '#renderer/dates';
import { writeMoney } from '#renderer/money';
import { dayText } from '#renderer/ui';
import { brandName } from '#shared/card-brands';

export type Frequency = Subscription['frequency'];

const FREQUENCY_TEXTS: Readonly<Record<Frequency, string>> = {
  daily: 'every day',
  weekly: 'every week',
  biweekly: 'every 2 weeks',
  monthly: 'every month',
  quarterly: 'every 3 months',
  semiannually: 'every 6 months',
  annually: 'every year',
};

/** Frequencies of a subscription, the shortest first. */
export const FREQUENCIES = Object.keys(FREQUENCY_TEXTS) as Frequency[];

/** "every 2 weeks". */
export const frequencyText = (frequency: Frequency) => FREQUENCY_TEXTS[frequency];

/** "1 payment", "12 payments". */
export const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const moneyOf = ({ amount, currency }: Pick<Subscription, 'amount' | 'currency'>) => writeMoney(amount, currency);

/** Returns the name of the customer. */
export function customerNameOf({ customer, customerId }: Pick<Subscription, 'customer' | 'customerId'>): string {
  return customer.name ?? customer.email ?? customerId;
}

type Method = Pick<PaymentMethod, 'type' | 'brand' | 'last4' | 'expiryMonth' | 'expiryYear'>;

/** "Visa 1111", "Bank account 6789". */
export function methodName({ type, brand, last4 }: Method): string {
  return `${type === 'ach' ? 'Bank account' : brandName(brand ?? 'Card')} ${last4}`;
}

/** "Visa 1111, expires 12/39". */
export function methodText(method: Method): string {
  const { expiryMonth, expiryYear } = method;
  return expiryMonth && expiryYear ? `${methodName(method)}, expires ${expiryMonth}/${expiryYear.slice(-2)}` : methodName(method);
}

/** Returns true if the card expires before a day. */
export function isExpiredOn(method: Method, day: string): boolean {
  const { expiryMonth, expiryYear } = method;
  if (!expiryMonth || !expiryYear) return false;
  return `20${expiryYear.slice(-2)}-${expiryMonth.padStart(2, '0')}` < day.slice(0, 7);
}

/** "Never, 3 payments made"; "After 12 payments, 3 made". */
export function endText({ endDate, totalPayments, paymentsMade }: Subscription): string {
  if (endDate !== null && totalPayments !== null)
    return `On ${dayText(endDate)}, or after ${countText(totalPayments, 'payment')}, ${paymentsMade} made`;
  if (totalPayments !== null) return `After ${countText(totalPayments, 'payment')}, ${paymentsMade} made`;
  return `${endDate === null ? 'Never' : `On ${dayText(endDate)}`}, ${countText(paymentsMade, 'payment')} made`;
}

/** Returns the result of the last payment for the list. */
export function lastResultText({ paymentInProgress, lastResult, lastReason }: Subscription): string {
  if (paymentInProgress) return 'Payment pending';
  // A reason that says "declined" itself gets no such prefix.
  if (lastResult === 'failed')
    return /declined/i.test(lastReason ?? '') ? (lastReason ?? '') : `Declined: ${lastReason ?? 'no reason given'}`;
  if (lastReason !== null) return `Not sent: ${lastReason}`;
  return lastResult === 'succeeded' ? 'Paid' : 'No payments yet';
}

const CANCEL_REASONS: Readonly<Record<string, string>> = {
  payment_failed: 'All payment attempts failed',
  customer_deleted: 'The customer was deleted',
  deleted: 'The subscription was deleted',
};

/** Returns the reason of a cancellation: the text of a person, or that of the service. */
export const cancelReasonText = (reason: string) => CANCEL_REASONS[reason] ?? reason;

/** Returns who canceled a subscription. */
export const cancelledByText = (name: string) => (name === 'service' ? 'Paydesk' : name);

/** Returns date and time of an upcoming attempt. */
export function retryTimeText(at: string, timeZone: string): string {
  return dateFormat({ timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}
