import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, keptQuery, queryClient, takeData, takePage } from '#renderer/base/client';
import type { Frequency } from '#renderer/shared/customers';

export const PAGE_SIZE = 50;
/** Number of upcoming dates shown. */
export const DATES_SHOWN = 6;
/** Number of payments shown at first. */
export const PAYMENTS_SHOWN = 20;
/** Largest page of the service. */
export const PAYMENTS_MAX = 200;
/** Page size above the number of cards that one customer can have on file. */
const METHODS_MAX = 100;

export type Status = 'active' | 'past_due' | 'paused' | 'cancelled' | 'expired';

/** Orders of the list. */
export const SORTS = ['createdAt', '-createdAt', 'nextPaymentDate', '-nextPaymentDate'] as const;
export type Sort = (typeof SORTS)[number];

interface SubscriptionFilter {
  readonly status: Status | undefined;
  readonly q: string;
  readonly sort: Sort;
  readonly page: number;
}

/** A page of the subscriptions of a merchant. */
export function subscriptionsQuery(merchantId: string, { status, q, sort, page }: SubscriptionFilter) {
  const query = { merchantId, sort, page, limit: PAGE_SIZE, ...(status && { status }), ...(q !== '' && { q }) };
  return keptQuery(['recurring', 'list', query], (signal) => takePage(api.GET('/api/v1/recurring', { params: { query }, signal })));
}

/** Number of subscriptions by status, and expected payments. */
export function summaryQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['recurring', 'summary', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/recurring/summary', { params: { query: { merchantId } } })),
  });
}

const pathOf = (id: string) => ({ params: { path: { id } } });

/** One subscription. */
export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: ['recurring', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/recurring/{id}', pathOf(id))),
    staleTime: 0,
  });
}

/** Next dates of a subscription, computed by the rule that charges it; for a paused one, the dates if it is resumed now. */
export function upcomingQuery(id: string) {
  return queryOptions({
    queryKey: ['recurring', 'upcoming', id],
    queryFn: () =>
      takeData(api.GET('/api/v1/recurring/{id}/upcoming', { params: { path: { id }, query: { count: String(DATES_SHOWN) } } })),
    staleTime: 0,
  });
}

/** The newest payments of a subscription. */
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
    queryFn: () => takeData(api.GET('/api/v1/merchants/{id}/dunning-settings', pathOf(merchantId))),
  });
}

/** Current date of the merchant according to the service, whose clock may be ahead of this computer's. */
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

interface PreviewInput {
  readonly merchantId: string;
  readonly frequency: Frequency;
  readonly startDate: string;
  readonly endDate?: string;
  readonly totalPayments?: number;
}

/** First dates of a subscription that does not exist yet. */
export function previewQuery(input: PreviewInput) {
  return queryOptions({
    queryKey: ['recurring', 'preview', input],
    queryFn: async () => (await takeData(api.POST('/api/v1/recurring/preview', { body: { ...input, count: DATES_SHOWN } }))).dates,
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

/** Refreshes the lists after a change, or after a refusal that shows a change by another user. */
export const refreshRecurring = () => queryClient.invalidateQueries({ queryKey: ['recurring'] });
