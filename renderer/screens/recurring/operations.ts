import { api, type Subscription, takeData } from '#renderer/base/client';
import type { AgreementChannel, Frequency } from '#renderer/shared/customers';

export interface NewSubscription {
  readonly customerId: string;
  /** Decimal text. */
  readonly amount: string;
  /** Decimal text. */
  readonly taxAmount?: string;
  readonly purchaseOrderNumber?: string;
  readonly frequency: Frequency;
  readonly startDate: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
  readonly planId?: string;
  readonly paymentMethodId?: string;
  readonly agreementChannel?: AgreementChannel;
  readonly bankAuthorization?: { readonly reference: string };
}

/** Changed fields; null removes the name, the purchase order number, the end or the specific card. */
export interface SubscriptionChange {
  readonly amount?: string;
  readonly taxAmount?: string;
  readonly purchaseOrderNumber?: string | null;
  readonly planId?: string | null;
  readonly endDate?: string | null;
  readonly totalPayments?: number | null;
  readonly paymentMethodId?: string | null;
}

const pathOf = (id: string) => ({ params: { path: { id } } });

/** Creates a subscription; one that starts today is charged before the response. */
export function createSubscription(body: NewSubscription, key: string): Promise<Subscription> {
  return takeData(api.POST('/api/v1/recurring', { params: { header: { 'Idempotency-Key': key } }, body }));
}

/** Retries the failed payment now. */
export function retrySubscription(id: string, key: string): Promise<Subscription> {
  return takeData(api.POST('/api/v1/recurring/{id}/retry', { params: { path: { id }, header: { 'Idempotency-Key': key } } }));
}

export const changeSubscription = (id: string, body: SubscriptionChange): Promise<Subscription> =>
  takeData(api.PUT('/api/v1/recurring/{id}', { ...pathOf(id), body }));
export const pauseSubscription = (id: string): Promise<Subscription> => takeData(api.POST('/api/v1/recurring/{id}/pause', pathOf(id)));
export const resumeSubscription = (id: string): Promise<Subscription> => takeData(api.POST('/api/v1/recurring/{id}/resume', pathOf(id)));
export const skipNext = (id: string): Promise<Subscription> => takeData(api.POST('/api/v1/recurring/{id}/skip-next', pathOf(id)));
export const cancelSubscription = (id: string, reason: string): Promise<Subscription> =>
  takeData(api.POST('/api/v1/recurring/{id}/cancel', { ...pathOf(id), body: reason === '' ? {} : { reason } }));
