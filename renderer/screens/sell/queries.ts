import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, take, takeData, takePage } from '#renderer/client';
import { brandName } from '#renderer/receipt';
import { type ChargeResult, readBody, readFailure } from './charge/charge-result.ts';
import type { SaleRequest } from './charge/request.ts';
import type { UnconfirmedCharge } from './unconfirmed/unconfirmed-charges.ts';

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

/** Longest wait of a sale for the lookup of unconfirmed charges. */
const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Returns an unconfirmed charge of any workstation that the request would repeat: same merchant, amount, currency and last four digits.
 * Undefined if the service does not answer in time, so that a sale is not delayed.
 */
export async function findUnconfirmedCharge(
  { merchantId, amount, currency }: SaleRequest,
  last4: string,
): Promise<UnconfirmedCharge | undefined> {
  const timeout = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  const timedOut = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(timeout.reason)));
  try {
    const call = api.GET('/api/v1/doubts', { params: { query: { merchantId, last4, amount } }, signal: timeout });
    const found = (await Promise.race([takeData(call), timedOut])).find(
      (charge) => (charge.operation === 'sale' || charge.operation === 'auth') && charge.currency === currency,
    );
    if (!found) return undefined;
    const { transactionId, card, since, pendingReason } = found;
    const methodLabel = card ? `${brandName(card.brand)} ending in ${last4}` : `Bank account ending in ${last4}`;
    return { transactionId, amount, currency, methodLabel, reason: pendingReason === null ? 'no-response' : 'held', since };
  } catch {
    return undefined;
  }
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
export const STALE_AFTER_SALE: readonly QueryKey[] = [RECENT_KEY, ['transactions']];

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
