import { api, type Subscription, takeData } from '#renderer/client';
import type { Frequency } from './words.ts';

export interface NewPlan {
  readonly customerId: string;
  /** Decimal text. */
  readonly amount: string;
  readonly frequency: Frequency;
  readonly startDate: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
  readonly planId?: string;
  readonly paymentMethodId?: string;
}

/** Fields that change; null takes a name, an end or an own card away. */
export interface PlanChange {
  readonly amount?: string;
  readonly planId?: string | null;
  readonly endDate?: string | null;
  readonly totalPayments?: number | null;
  readonly paymentMethodId?: string | null;
}

const on = (id: string) => ({ params: { path: { id } } });

/** Creates a subscription; one that starts today is charged before the response. */
export function createPlan(body: NewPlan, key: string): Promise<Subscription> {
  return takeData(api.POST('/api/v1/recurring', { params: { header: { 'Idempotency-Key': key } }, body }));
}

/** Tries the failed payment now. */
export function retryPlan(id: string, key: string): Promise<Subscription> {
  return takeData(api.POST('/api/v1/recurring/{id}/retry', { params: { path: { id }, header: { 'Idempotency-Key': key } } }));
}

export const changePlan = (id: string, body: PlanChange): Promise<Subscription> =>
  takeData(api.PUT('/api/v1/recurring/{id}', { ...on(id), body }));
export const pausePlan = (id: string): Promise<Subscription> => takeData(api.POST('/api/v1/recurring/{id}/pause', on(id)));
export const resumePlan = (id: string): Promise<Subscription> => takeData(api.POST('/api/v1/recurring/{id}/resume', on(id)));
export const skipNext = (id: string): Promise<Subscription> => takeData(api.POST('/api/v1/recurring/{id}/skip-next', on(id)));
export const cancelPlan = (id: string, reason: string): Promise<Subscription> =>
  takeData(api.POST('/api/v1/recurring/{id}/cancel', { ...on(id), body: reason === '' ? {} : { reason } }));
