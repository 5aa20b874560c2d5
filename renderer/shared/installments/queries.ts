import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type InstallmentPlan, queryClient, takeData, takePage } from '#renderer/base/client';
import type { Interval } from './texts.ts';

/** Page size above the number of cards that one customer can have on file. */
const METHODS_MAX = 100;
/** Polling interval of a plan while a payment is pending. */
const CHECK_MS = 2_000;

const pathOf = (id: string) => ({ params: { path: { id } } });
const pathWithKey = (id: string, key: string) => ({ params: { path: { id }, header: { 'Idempotency-Key': key } } });

/** The newest installment plan of an invoice; null if it has none. */
export function planOfInvoiceQuery(invoiceId: string) {
  return queryOptions({
    queryKey: ['recurring', 'plan-of-invoice', invoiceId],
    queryFn: async () => {
      const [newest] = (await takePage(api.GET('/api/v1/installment-plans', { params: { query: { invoiceId, limit: 1 } } }))).items;
      return newest === undefined ? null : takeData(api.GET('/api/v1/installment-plans/{id}', pathOf(newest.installmentPlanId)));
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.paymentInProgress ? CHECK_MS : false),
  });
}

/** One installment plan. */
export function planQuery(installmentPlanId: string) {
  return queryOptions({
    queryKey: ['recurring', 'plan', installmentPlanId],
    queryFn: () => takeData(api.GET('/api/v1/installment-plans/{id}', pathOf(installmentPlanId))),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.paymentInProgress ? CHECK_MS : false),
  });
}

/** Equal installments at an interval. */
export interface Schedule {
  readonly invoiceId: string;
  readonly count: number;
  readonly interval: Interval;
  readonly firstDate?: string;
}

/** Installments with dates and amounts of their own. */
interface OwnSchedule {
  readonly invoiceId: string;
  readonly installments: { readonly dueDate: string; readonly amount: string }[];
}

/** Installments of a plan that does not exist yet. */
export function previewQuery(schedule: Schedule) {
  return queryOptions({
    queryKey: ['recurring', 'plan-preview', schedule],
    queryFn: async () => (await takeData(api.POST('/api/v1/installment-plans/preview', { body: schedule }))).installments,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Stored payment methods of a customer. */
export function methodsQuery(customerId: string) {
  return queryOptions({
    queryKey: ['recurring', 'plan-methods', customerId],
    queryFn: async () => {
      const query = { limit: METHODS_MAX };
      return (await takePage(api.GET('/api/v1/customers/{id}/payment-methods', { params: { path: { id: customerId }, query } }))).items;
    },
    staleTime: 0,
  });
}

export type NewPlan = (Schedule | OwnSchedule) & {
  readonly paymentMethodId: string;
  readonly consentText?: string;
};

/** Creates a plan; an installment of today is charged before the response. */
export const createPlan = (body: NewPlan, key: string): Promise<InstallmentPlan> =>
  takeData(api.POST('/api/v1/installment-plans', { params: { header: { 'Idempotency-Key': key } }, body }));

/** Retries the failed installment now. */
export const retryPlan = (id: string, key: string): Promise<InstallmentPlan> =>
  takeData(api.POST('/api/v1/installment-plans/{id}/retry', pathWithKey(id, key)));
export const pausePlan = (id: string): Promise<InstallmentPlan> => takeData(api.POST('/api/v1/installment-plans/{id}/pause', pathOf(id)));
export const resumePlan = (id: string): Promise<InstallmentPlan> => takeData(api.POST('/api/v1/installment-plans/{id}/resume', pathOf(id)));
export const cancelPlan = (id: string, reason: string): Promise<InstallmentPlan> =>
  takeData(api.POST('/api/v1/installment-plans/{id}/cancel', { ...pathOf(id), body: reason === '' ? {} : { reason } }));
export const changePlanMethod = (
  id: string,
  body: { readonly paymentMethodId: string; readonly consentText?: string },
): Promise<InstallmentPlan> => takeData(api.PUT('/api/v1/installment-plans/{id}/payment-method', { ...pathOf(id), body }));

/** Refreshes plans and their invoices after a change, or after a refusal that shows a change by another user. */
export async function refreshPlans(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['recurring'] }),
    queryClient.invalidateQueries({ queryKey: ['invoices'] }),
  ]);
}
