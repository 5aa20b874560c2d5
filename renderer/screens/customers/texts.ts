import type { CardSave, Customer, ExpiringCard, PaymentMethod, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { cardText } from '#renderer/base/payment-methods';
import { lastFourText } from '#shared/card-brands';

/** Days before the expiry from which a card is shown as expiring. */
export const EXPIRING_DAYS = 60;

const DAY_MS = 86_400_000;

type CustomerNames = Pick<Customer, 'firstName' | 'lastName' | 'company' | 'email'>;

/** Returns the name of a customer, or else the company or email address. */
export function nameOf(customer: CustomerNames): string {
  return fullName(customer) || customer.company || customer.email || t('Customer');
}

/** Returns first and last name; empty without both. */
export function fullName({ firstName, lastName }: Pick<Customer, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

/** Consent that a clerk reads to a customer. Stored, and part of the evidence of a dispute; not translated. */
export const consentFor = (merchantName: string): string =>
  `I authorize ${merchantName} to store this card and to charge it for purchases I agree to.`;

const OPEN_CARD_SAVES: ReadonlySet<string> = new Set(['starting', 'waiting_for_card', 'processing', 'unconfirmed']);
export const isCardSaveOpen = ({ status }: Pick<CardSave, 'status'>): boolean => OPEN_CARD_SAVES.has(status);

/** Returns what a clerk does while a reader stores a card, or why it did not. */
export function cardSaveText({ status, terminalName: name, canceledBy, reason }: CardSave): string {
  if (status === 'processing') return t('Card read, waiting for the bank');
  if (status === 'unconfirmed') return t('{{name}} doesn’t answer. Check its power and its network.', { name });
  if (status === 'declined') return t('Declined: {{reason}}', { reason: reason ?? '' });
  if (status === 'failed') return t('The card was not stored. {{reason}}', { reason: reason ?? '' });
  if (status === 'saved') return t('The card was stored.');
  if (status !== 'canceled') return t('Ask the customer to tap, insert or swipe');
  if (canceledBy === 'customer') return t('The customer canceled on {{name}}', { name });
  return canceledBy === 'timeout' ? t('No card was presented to {{name}} in time', { name }) : t('Canceled on {{name}}', { name });
}

type MethodIdentity = Pick<PaymentMethod, 'type' | 'brand' | 'last4' | 'accountType'>;

/** "Visa ••1111", "Checking ••6789". */
export function methodName(method: MethodIdentity): string {
  if (method.type !== 'ach') return cardText(method);
  return `${method.accountType === 'savings' ? t('Savings') : t('Checking', { context: 'account' })} ${lastFourText(method.last4)}`;
}

/** The last day of a card's month, YYYY-MM-DD; null for an account. */
export function lastDayOf({ expiryMonth, expiryYear }: Pick<PaymentMethod, 'expiryMonth' | 'expiryYear'>): string | null {
  if (expiryMonth === null || expiryYear === null) return null;
  return new Date(Date.UTC(Number(expiryYear), Number(expiryMonth), 0)).toISOString().slice(0, 10);
}

/** Returns the expiry as on the card: 12/31. */
export function expiryOf({ expiryMonth, expiryYear }: Pick<PaymentMethod | ExpiringCard, 'expiryMonth' | 'expiryYear'>): string {
  return expiryMonth === null || expiryYear === null ? '' : `${expiryMonth}/${expiryYear.slice(-2)}`;
}

/** Returns the number of days between two dates. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** "expired 3 days ago", "expires today", "expires in 40 days". */
export function expiryText(lastDay: string, today: string): string {
  const left = daysBetween(today, lastDay);
  if (left === 0) return t('expires today');
  return left < 0 ? t('expired {{count, number}} days ago', { count: -left }) : t('expires in {{count, number}} days', { count: left });
}

const ENDED_STATUSES = new Set<string>(['cancelled', 'expired']);

/** Returns true if a subscription has further payments. */
export function isRunning({ status }: Pick<Subscription, 'status'>): boolean {
  return !ENDED_STATUSES.has(status);
}
