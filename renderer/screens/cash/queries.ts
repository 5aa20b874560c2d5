import { queryOptions } from '@tanstack/react-query';
import { api, keptQuery, type PaymentQuery, type Shift, type Tender, takeData, takePage } from '#renderer/base/client';
import { type Period, periodDates } from '#renderer/session/periods';

export const PAGE_SIZE = 50;

/** Kinds of payments at the counter. */
export const KINDS = ['cash', 'check', 'other', 'gift_card'] as const;
export const TENDER_STATUSES = ['received', 'partially_refunded', 'refunded', 'returned'] as const satisfies readonly Tender['status'][];

/** Filter of the list of tenders. */
export interface TenderView {
  readonly kind: (typeof KINDS)[number] | undefined;
  readonly status: Tender['status'] | undefined;
  readonly period: Period | undefined;
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
  readonly q: string;
}

/** Returns the query of the API for a view on a day of the merchant. */
export const queryOf = (merchantId: string, today: string, { kind, status, q, ...days }: TenderView) => ({
  merchantId,
  ...(kind && { kind }),
  ...(status && { status }),
  ...datesOf(days, today),
  ...(q && { q }),
});

interface Days {
  readonly period: Period | undefined;
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
}

function datesOf({ period, startDate, endDate }: Days, today: string) {
  const dates = period ? periodDates(period, today) : { startDate, endDate };
  return { ...(dates.startDate && { startDate: dates.startDate }), ...(dates.endDate && { endDate: dates.endDate }) };
}

type TenderQuery = ReturnType<typeof queryOf>;

/** Number and net amount of the payments of a filter. */
export function tenderTotalsQuery(query: TenderQuery, rows: number) {
  return keptQuery(['tenders', 'totals', query, rows], (signal) =>
    takeData(api.GET('/api/v1/tenders/totals', { params: { query }, signal })),
  );
}

/** Orders of the list. */
export const SORTS = ['createdAt', '-createdAt', 'amount', '-amount'] as const;
export type Sort = (typeof SORTS)[number];

export function tendersQuery(filter: TenderQuery, sort: Sort, page: number) {
  const query = { ...filter, sort, page, limit: PAGE_SIZE };
  return keptQuery(['tenders', 'list', query], (signal) => takePage(api.GET('/api/v1/tenders', { params: { query }, signal })));
}

/** Filter of the list of shifts. */
export interface ShiftsView extends Days {
  readonly shiftStatus: Shift['status'] | undefined;
  readonly drawer: string;
}

/** Returns the query of the API for a view of the shifts on a day of the merchant. */
export const shiftsQueryOf = (merchantId: string, today: string, { shiftStatus, drawer, ...days }: ShiftsView) => ({
  merchantId,
  ...(shiftStatus && { status: shiftStatus }),
  ...(drawer && { drawer }),
  ...datesOf(days, today),
});

type ShiftsQuery = ReturnType<typeof shiftsQueryOf>;

export function shiftsQuery(filter: ShiftsQuery, page: number) {
  const query = { ...filter, page, limit: PAGE_SIZE };
  return keptQuery(['shifts', 'list', query], (signal) => takePage(api.GET('/api/v1/shifts', { params: { query }, signal })));
}

/** Number of the closed shifts of a filter, and the sum of their variances. */
export function shiftTotalsQuery(query: ShiftsQuery, rows: number) {
  return keptQuery(['shifts', 'totals', query, rows], (signal) =>
    takeData(api.GET('/api/v1/shifts/totals', { params: { query }, signal })),
  );
}

export function shiftReportQuery(id: string) {
  return queryOptions({
    queryKey: ['shifts', 'report', id],
    queryFn: () => takeData(api.GET('/api/v1/shifts/{id}/report', { params: { path: { id } } })),
    staleTime: 0,
  });
}

const LAST_PAYMENTS = 10;

/** The last payments of all kinds that a filter finds, such as those of a shift. */
export function lastPaymentsQuery(filter: PaymentQuery) {
  const query = { ...filter, limit: LAST_PAYMENTS };
  return queryOptions({
    queryKey: ['reports', 'last-payments', query],
    queryFn: async () => (await takePage(api.GET('/api/v1/payments', { params: { query } }))).items,
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
