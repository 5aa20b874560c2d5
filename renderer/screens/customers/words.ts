import type { Customer, ExpiringCard, PaymentMethod, Subscription } from '#renderer/client';
import { brandName } from '#renderer/receipt';

/** Days before the expiry from which a card is shown as expiring. */
export const EXPIRING_DAYS = 60;

const DAY_MS = 86_400_000;
const SHORT_BRANDS: Readonly<Record<string, string>> = { amex: 'Amex' };

type Named = Pick<Customer, 'firstName' | 'lastName' | 'company' | 'email'>;

/** Returns the name of a customer, or else the company or email address. */
export function nameOf(customer: Named): string {
  return fullName(customer) || customer.company || customer.email || 'Customer';
}

/** First and last name; empty where there is neither. */
export function fullName({ firstName, lastName }: Pick<Customer, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

type Means = Pick<PaymentMethod, 'type' | 'brand' | 'last4' | 'accountType'>;

/** "Visa 1111", "Checking 6789". */
export function methodName(method: Means): string {
  const { type, brand, last4, accountType } = method;
  if (type === 'ach') return `${accountType === 'savings' ? 'Savings' : 'Checking'} ${last4}`;
  return `${SHORT_BRANDS[brand?.toLowerCase() ?? ''] ?? brandName(brand ?? 'Card')} ${last4}`;
}

/** The last day of a card's month, YYYY-MM-DD; null for an account. */
export function lastDayOf({ expiryMonth, expiryYear }: Pick<PaymentMethod, 'expiryMonth' | 'expiryYear'>): string | null {
  if (expiryMonth === null || expiryYear === null) return null;
  return new Date(Date.UTC(Number(expiryYear), Number(expiryMonth), 0)).toISOString().slice(0, 10);
}

/** As the card shows it: 12/31. */
export function expiryOf({ expiryMonth, expiryYear }: Pick<PaymentMethod | ExpiringCard, 'expiryMonth' | 'expiryYear'>): string {
  return expiryMonth === null || expiryYear === null ? '' : `${expiryMonth}/${expiryYear.slice(-2)}`;
}

/** Whole days from one calendar day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** "expired 3 days ago", "expires today", "expires in 40 days". */
export function expiryWords(lastDay: string, today: string): string {
  const left = daysBetween(today, lastDay);
  if (left === 0) return 'expires today';
  return left < 0 ? `expired ${counted(-left, 'day')} ago` : `expires in ${counted(left, 'day')}`;
}

const FREQUENCIES: Readonly<Record<Subscription['frequency'], string>> = {
  daily: 'every day',
  weekly: 'every week',
  biweekly: 'every 2 weeks',
  monthly: 'every month',
  quarterly: 'every 3 months',
  semiannually: 'every 6 months',
  annually: 'every year',
};

/** Frequency of a subscription. */
export function frequencyWords(frequency: Subscription['frequency']): string {
  return FREQUENCIES[frequency];
}

const OVER = new Set<string>(['cancelled', 'expired']);

/** Returns true if a subscription has further payments. */
export function isRunning({ status }: Pick<Subscription, 'status'>): boolean {
  return !OVER.has(status);
}

/** "1 card", "2 cards". */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en-US')} ${thing}${count === 1 ? '' : 's'}`;
}
