import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

export const PAGE_SIZE = 50;

/** Filter of the list of tenders. */
export interface TenderView {
  readonly kind: 'cash' | 'check' | 'other' | 'gift_card' | undefined;
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
  readonly q: string;
}

/** Returns the query of the API for a view. */
export const queryOf = (merchantId: string, { kind, startDate, endDate, q }: TenderView) => ({
  merchantId,
  ...(kind && { kind }),
  ...(startDate && { startDate }),
  ...(endDate && { endDate }),
  ...(q && { q }),
});

/** Orders of the list. */
export const SORTS = ['createdAt', '-createdAt', 'amount', '-amount'] as const;
export type Sort = (typeof SORTS)[number];

export function tendersQuery(merchantId: string, view: TenderView, sort: Sort, page: number) {
  const query = { ...queryOf(merchantId, view), sort, page, limit: PAGE_SIZE };
  return queryOptions({
    queryKey: ['tenders', 'list', query],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/tenders', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function shiftsQuery(merchantId: string, page: number) {
  return queryOptions({
    queryKey: ['shifts', 'list', merchantId, page],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/shifts', { params: { query: { merchantId, page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function shiftReportQuery(id: string) {
  return queryOptions({
    queryKey: ['shifts', 'report', id],
    queryFn: () => takeData(api.GET('/api/v1/shifts/{id}/report', { params: { path: { id } } })),
    staleTime: 0,
  });
}

const LAST_PAYMENTS = 10;

/** The last payments of a shift, of all kinds. */
export function shiftPaymentsQuery(merchantId: string, shiftId: string) {
  return queryOptions({
    queryKey: ['reports', 'shift-payments', shiftId],
    queryFn: () => takePage(api.GET('/api/v1/payments', { params: { query: { merchantId, shiftId, limit: LAST_PAYMENTS } } })),
  });
}

const withKey = (key: string) => ({ header: { 'Idempotency-Key': key } });

/** Notes and coins by their value, or only the sum. */
export type Count = { readonly count: { denomination: string; quantity: number }[] } | { readonly amount: string };

export const openShift = (body: Count & { drawer: string; merchantId: string }, key: string) =>
  takeData(api.POST('/api/v1/shifts/open', { params: withKey(key), body }));
export const closeShift = (id: string, body: Count, key: string) =>
  takeData(api.POST('/api/v1/shifts/{id}/close', { params: { path: { id }, ...withKey(key) }, body }));
export const explainVariance = (id: string, note: string) =>
  takeData(api.PUT('/api/v1/shifts/{id}/note', { params: { path: { id } }, body: { note } }));

export const moveCash = (id: string, kind: 'pay-in' | 'pay-out', body: { amount: string; reason: string }, key: string) => {
  const options = { params: { path: { id }, ...withKey(key) }, body };
  return takeData(kind === 'pay-in' ? api.POST('/api/v1/shifts/{id}/pay-in', options) : api.POST('/api/v1/shifts/{id}/pay-out', options));
};
