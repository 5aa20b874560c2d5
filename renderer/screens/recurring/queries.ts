import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/client';
import type { Frequency } from './words.ts';

export const PAGE_SIZE = 50;
/** Number of upcoming dates shown. */
export const DATES_SHOWN = 6;
/** Number of payments shown at first. */
export const PAYMENTS_SHOWN = 20;
/** Largest page of the service. */
export const PAYMENTS_MAX = 200;
/** More cards than one customer has on file. */
const METHODS_MAX = 100;

export type Status = 'active' | 'past_due' | 'paused' | 'cancelled' | 'expired';

interface PlanFilter {
  readonly status: Status | undefined;
  readonly q: string;
  readonly page: number;
}

/** A page of the plans of a merchant. */
export function plansQuery(merchantId: string, { status, q, page }: PlanFilter) {
  const query = { merchantId, page, limit: PAGE_SIZE, ...(status && { status }), ...(q !== '' && { q }) };
  return queryOptions({
    queryKey: ['recurring', 'list', query],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/recurring', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Number of subscriptions by status, and expected payments. */
export function summaryQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['recurring', 'summary', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/recurring/summary', { params: { query: { merchantId } } })),
  });
}

const on = (id: string) => ({ params: { path: { id } } });

/** One plan. */
export function planQuery(id: string) {
  return queryOptions({
    queryKey: ['recurring', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/recurring/{id}', on(id))),
    staleTime: 0,
  });
}

/** The next dates of a plan, by the rule that charges it; of a paused one, those that resuming it now would bring. */
export function upcomingQuery(id: string) {
  return queryOptions({
    queryKey: ['recurring', 'upcoming', id],
    queryFn: () =>
      takeData(api.GET('/api/v1/recurring/{id}/upcoming', { params: { path: { id }, query: { count: String(DATES_SHOWN) } } })),
    staleTime: 0,
  });
}

/** The newest payments of a plan. */
export function paymentsQuery(id: string, limit: number) {
  return queryOptions({
    queryKey: ['recurring', 'payments', id, limit],
    queryFn: () => takePage(api.GET('/api/v1/recurring/{id}/payments', { params: { path: { id }, query: { limit } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Dunning settings of a merchant. */
export function dunningQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['recurring', 'dunning', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/merchants/{id}/dunning-settings', on(merchantId))),
  });
}

/** The merchant's day, as the service sees it: its clock may be ahead of this machine's. */
export function todayQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['recurring', 'today', merchantId],
    queryFn: async () => {
      const body = { frequency: 'daily', count: 1, merchantId } as const;
      return (await takeData(api.POST('/api/v1/recurring/preview', { body }))).dates[0] ?? '';
    },
    staleTime: 0,
  });
}

interface Thought {
  readonly merchantId: string;
  readonly frequency: Frequency;
  readonly startDate: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
}

/** The first dates of a plan that is thought of. */
export function previewQuery(thought: Thought) {
  return queryOptions({
    queryKey: ['recurring', 'preview', thought],
    queryFn: async () => (await takeData(api.POST('/api/v1/recurring/preview', { body: { ...thought, count: DATES_SHOWN } }))).dates,
    placeholderData: keepPreviousData,
  });
}

/** Stored payment methods of a customer. */
export function methodsQuery(customerId: string) {
  return queryOptions({
    queryKey: ['recurring', 'methods', customerId],
    queryFn: async () =>
      (
        await takePage(
          api.GET('/api/v1/customers/{id}/payment-methods', { params: { path: { id: customerId }, query: { limit: METHODS_MAX } } }),
        )
      ).items,
    staleTime: 0,
  });
}

/** Refreshes the lists after a change, or after a refusal that shows a change by somebody else. */
export const refreshRecurring = () => queryClient.invalidateQueries({ queryKey: ['recurring'] });
