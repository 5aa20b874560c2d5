import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, take, takeData, takePage } from '#renderer/base/client';
import { type ChargeResult, readBody, readFailure } from './charge-result.ts';
import type { SaleRequest } from './request.ts';

/**
 * Sends a sale. It is deliberately not a mutation of the query cache, which would keep the request with the card number for as
 * long as the result.
 */
export async function sendSale(request: SaleRequest, idempotencyKey: string): Promise<ChargeResult> {
  const call = api.POST('/api/v1/transactions', { body: { ...request }, params: { header: { 'Idempotency-Key': idempotencyKey } } });
  return take(call).then(readBody, (failure: unknown) => {
    if (failure instanceof ApiFailure) return readFailure(failure);
    throw failure;
  });
}

export const RECENT_SALES = 5;
const RECENT_KEY = ['sell', 'recent'] as const;

/** The last five transactions of a merchant on one day of its calendar. */
export function recentSalesQuery(merchantId: string, day: string) {
  return queryOptions({
    queryKey: [...RECENT_KEY, merchantId, day],
    queryFn: () =>
      takePage(api.GET('/api/v1/transactions', { params: { query: { merchantId, startDate: day, endDate: day, limit: RECENT_SALES } } })),
    refetchInterval: 60_000,
  });
}

/** The last five tenders of a merchant on one day of its calendar. */
export function recentTendersQuery(merchantId: string, day: string) {
  return queryOptions({
    queryKey: ['tenders', 'recent', merchantId, day],
    queryFn: async () =>
      (await takePage(api.GET('/api/v1/tenders', { params: { query: { merchantId, startDate: day, endDate: day, limit: RECENT_SALES } } })))
        .items,
  });
}

/** Queries that a sale makes stale: this screen's list and all other transaction lists. */
export const STALE_AFTER_SALE: readonly QueryKey[] = [RECENT_KEY, ['transactions'], ['orders']];

const POLL_FAST_MS = 1000;
const POLL_SLOW_MS = 5000;
const FAST_POLLS = 30;

/** An unconfirmed transaction, polled until its outcome is known. */
export function unconfirmedChargeQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['sell', 'unconfirmed', transactionId],
    queryFn: () => takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id: transactionId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && state.data.status !== 'pending' ? false : state.dataUpdateCount < FAST_POLLS ? POLL_FAST_MS : POLL_SLOW_MS,
    refetchIntervalInBackground: true,
  });
}
