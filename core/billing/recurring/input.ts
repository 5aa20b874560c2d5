import { addDays, parseDate, ServiceError } from '#core/kernel';
import type { MethodInput } from '#core/sales/customers';
import type { AgreementInput } from '#core/sales/payments';
import type { Frequency } from './calendar.ts';

/** Input of a new subscription. */
export interface NewSubscription extends Omit<AgreementInput, 'consentText'> {
  readonly customerId: string;
  readonly planId?: string;
  readonly amount: string | number;
  /** Tax within the amount of each payment. */
  readonly taxAmount?: string | number;
  /** Purchase order number of a business customer, which each payment carries. */
  readonly purchaseOrderNumber?: string;
  readonly currency?: string;
  readonly frequency: Frequency;
  /** YYYY-MM-DD in the merchant's zone; default today, which is charged immediately. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
  /** A stored payment method of the customer. Without it and without `method`, each payment uses the customer's default. */
  readonly paymentMethodId?: string;
  /** A card or bank account to be stored for the customer and charged by this subscription. */
  readonly method?: MethodInput;
}

/** Change of a subscription. Null removes the end, the plan ID, the purchase order number, or the subscription's own payment method. */
export interface SubscriptionChange extends Omit<AgreementInput, 'consentText'> {
  readonly planId?: string | null;
  readonly amount?: string | number;
  /** 0 removes the tax. */
  readonly taxAmount?: string | number;
  readonly purchaseOrderNumber?: string | null;
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

/** Parses a date that is neither in the past nor more than a hundred years ahead. @throws ServiceError VALIDATION_ERROR. */
export function parseFutureDate(text: string, field: string, today: string): string {
  const day = parseDate(text, field);
  if (day < today)
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must not be in the past. Today is ${today} for this merchant.`, { field });
  if (day > addDays(today, AHEAD_MAX_DAYS))
    throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be within a hundred years.`, { field });
  return day;
}

export function checkEnd(startDate: string, endDate: string | null): void {
  if (endDate === null || endDate >= startDate) return;
  throw new ServiceError('VALIDATION_ERROR', '`endDate` must not be before `startDate`.', { field: 'endDate' });
}
