import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, take, takeData, takePage } from '#renderer/client';
import { brandName } from '#renderer/receipt';
import { type Answer, readBody, readFailure } from './charge/answer.ts';
import type { SaleRequest } from './charge/request.ts';
import type { Doubt } from './unconfirmed/doubts.ts';

/**
 * Sends a sale. Not a mutation of the query cache on purpose: that would keep the request, card number and all, for as long
 * as it keeps the result.
 */
export async function sendSale(request: SaleRequest, idempotencyKey: string): Promise<Answer> {
  const call = api.POST('/api/v1/transactions', { body: { ...request }, params: { header: { 'Idempotency-Key': idempotencyKey } } });
  return take(call).then(readBody, (failure: unknown) => {
    if (failure instanceof ApiFailure) return readFailure(failure);
    throw failure;
  });
}

/** A sale does not wait longer for the question whether another is in doubt. */
const DOUBT_PATIENCE_MS = 1_000;

/**
 * Returns an unconfirmed charge of any workstation that the request would repeat: same merchant, amount, currency and last four digits.
 * Undefined if the service does not answer in time, so that a sale is not delayed.
 */
export async function openCharge({ merchantId, amount, currency }: SaleRequest, last4: string): Promise<Doubt | undefined> {
  const patience = AbortSignal.timeout(DOUBT_PATIENCE_MS);
  const late = new Promise<never>((_, reject) => patience.addEventListener('abort', () => reject(patience.reason)));
  try {
    const call = api.GET('/api/v1/doubts', { params: { query: { merchantId, last4, amount } }, signal: patience });
    const found = (await Promise.race([takeData(call), late])).find(
      (doubt) => (doubt.operation === 'sale' || doubt.operation === 'auth') && doubt.currency === currency,
    );
    if (!found) return undefined;
    const { transactionId, card, since, pendingReason } = found;
    const means = card ? `${brandName(card.brand)} ending in ${last4}` : `Bank account ending in ${last4}`;
    return { transactionId, amount, currency, means, reason: pendingReason === null ? 'lost' : 'held', since };
  } catch {
    return undefined;
  }
}

const RECENT_SALES = 5;
const RECENT_KEY = ['sell', 'recent'] as const;

/** The merchant's last five transactions of a day of its calendar. */
export function recentSalesQuery(merchantId: string, day: string) {
  return queryOptions({
    queryKey: [...RECENT_KEY, merchantId, day],
    queryFn: () =>
      takePage(api.GET('/api/v1/transactions', { params: { query: { merchantId, startDate: day, endDate: day, limit: RECENT_SALES } } })),
    refetchInterval: 60_000,
  });
}

/** Queries that a sale makes stale: this screen's list and all other transaction lists. */
export const STALE_AFTER_SALE: readonly QueryKey[] = [RECENT_KEY, ['transactions']];

const POLL_FAST_MS = 1000;
const POLL_SLOW_MS = 5000;
const FAST_POLLS = 30;

/** A transaction in doubt, asked again until its outcome is known. */
export function doubtQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['sell', 'doubt', transactionId],
    queryFn: () => takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id: transactionId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && state.data.status !== 'pending' ? false : state.dataUpdateCount < FAST_POLLS ? POLL_FAST_MS : POLL_SLOW_MS,
    refetchIntervalInBackground: true,
  });
}
