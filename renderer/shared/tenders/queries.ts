import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/base/client';

const OPEN_MAX = 50;

/** The open shift in which cash at a drawer is counted; null if there is none. */
export const currentShiftQuery = (merchantId: string, drawer: string) =>
  queryOptions({
    queryKey: ['shifts', 'current', merchantId, drawer],
    queryFn: async () => (await takeData(api.GET('/api/v1/shifts/current', { params: { query: { merchantId, drawer } } }))).shift,
  });

/** All open shifts of a merchant. */
export const openShiftsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['shifts', 'open', merchantId],
    queryFn: async () =>
      (await takePage(api.GET('/api/v1/shifts', { params: { query: { merchantId, status: 'open', limit: OPEN_MAX } } }))).items,
  });

/** A shift with its movements. */
export function shiftQuery(id: string) {
  return queryOptions({
    queryKey: ['shifts', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/shifts/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });
}

/** A tender with its refunds. */
export function tenderQuery(id: string) {
  return queryOptions({
    queryKey: ['tenders', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/tenders/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });
}

export const refundTender = (id: string, body: { amount: string; reason?: string; drawer: string }, key: string) =>
  takeData(api.POST('/api/v1/tenders/{id}/refund', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body }));

export const returnCheck = (id: string, body: { reason?: string }, key: string) =>
  takeData(api.POST('/api/v1/tenders/{id}/return', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body }));

const CASH_KEYS = [['tenders'], ['shifts'], ['reports'], ['transactions', 'list'], ['invoices']];

/** Refreshes lists, reports and figures after cash moved. */
export async function refreshCash(): Promise<void> {
  await Promise.all(CASH_KEYS.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
