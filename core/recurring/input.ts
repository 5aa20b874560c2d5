import type { MethodInput } from '#core/customers';
import { addDays, parseDate, ServiceError } from '#core/kernel';
import type { Frequency } from './calendar.ts';

/** Input of a new subscription (specification 2.5, 4.7; decisions 7, 11). */
export interface NewSubscription {
  readonly customerId: string;
  readonly planId?: string;
  readonly amount: string | number;
  readonly currency?: string;
  readonly frequency: Frequency;
  /** YYYY-MM-DD in the merchant's zone; default today, which is charged immediately. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
  /** One that the customer has on file; without it and without a new one, the default at each payment. */
  readonly paymentMethodId?: string;
  /** A card or account to be stored for the customer and charged by this plan. */
  readonly method?: MethodInput;
}

/** Fields of a plan that are to be changed; null takes an end, a plan's name or an own card away. */
export interface SubscriptionChange {
  readonly planId?: string | null;
  readonly amount?: string | number;
  readonly frequency?: Frequency;
  /** Can be changed before the first payment only. */
  readonly startDate?: string;
  readonly endDate?: string | null;
  readonly totalPayments?: number | null;
  readonly paymentMethodId?: string | null;
  readonly method?: MethodInput;
}

/** Largest distance of a start or end date; the calendar ends in the year 9999. */
const AHEAD_MAX_DAYS = 36_525;

/** A day of a plan that is neither in the past nor a hundred years ahead. */
export function dayFrom(text: string, field: string, today: string): string {
  const day = parseDate(text, field);
  if (day < today)
    throw new ServiceError('VALIDATION_ERROR', `${field} must not be in the past; it is ${today} for this merchant.`, { field });
  if (day > addDays(today, AHEAD_MAX_DAYS))
    throw new ServiceError('VALIDATION_ERROR', `${field} must be within a hundred years.`, { field });
  return day;
}

export function checkEnd(startDate: string, endDate: string | null): void {
  if (endDate === null || endDate >= startDate) return;
  throw new ServiceError('VALIDATION_ERROR', 'endDate must not be before startDate.', { field: 'endDate' });
}
