import { queryOptions } from '@tanstack/react-query';
import {
  api,
  keptQuery,
  type PageOf,
  type Payment,
  type PaymentQuery,
  queryClient,
  type Transaction,
  type TransactionDetail,
  takeData,
  takePage,
} from '#renderer/base/client';
import type { Sort } from './filter.ts';

/** Rows on a page. */
export const PAGE_SIZE = 50;
const COUNT_POLL_MS = 15_000;
const UNCONFIRMED_POLL_MS = 2_000;
const UNCONFIRMED_SLOW_POLL_MS = 15_000;
/** After these polls, the outcome takes as long as the processor's working day, such as for an ACH debit that has not cleared. */
const UNCONFIRMED_FAST_POLLS = 30;

const LISTS = ['transactions', 'list'] as const;

/** One page of the list. The previous page stays visible while the next one loads. */
export function listQuery(query: PaymentQuery, sort: Sort, page: number) {
  return keptQuery([...LISTS, query, sort, page], (signal) =>
    takePage(api.GET('/api/v1/payments', { params: { query: { ...query, sort, page, limit: PAGE_SIZE } }, signal })),
  );
}

/** Totals of the filter by currency, counted again when the number of rows changes. */
export function totalsQuery(query: PaymentQuery, rows: number) {
  return keptQuery(['transactions', 'totals', query, rows], (signal) =>
    takeData(api.GET('/api/v1/payments/totals', { params: { query }, signal })),
  );
}

/** Current number of transactions of the filter, requested separately, so that rows being read do not move. */
export function countQuery(query: PaymentQuery) {
  return queryOptions({
    queryKey: ['transactions', 'count', query],
    queryFn: async () => (await takePage(api.GET('/api/v1/payments', { params: { query: { ...query, limit: 1 } } }))).total,
    refetchInterval: COUNT_POLL_MS,
    staleTime: 0,
  });
}

/** One transaction with its history, polled while its outcome is unknown. */
export function detailQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['transactions', 'one', transactionId],
    queryFn: () => takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id: transactionId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (!state.data || !isUnconfirmed(state.data)) return false;
      return state.dataUpdateCount < UNCONFIRMED_FAST_POLLS ? UNCONFIRMED_POLL_MS : UNCONFIRMED_SLOW_POLL_MS;
    },
  });
}

/** Refunds of the transaction, newest first. */
export function refundsQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['transactions', 'refunds', transactionId],
    queryFn: () => takePage(api.GET('/api/v1/refunds', { params: { query: { transactionId, limit: 100 } } })),
    staleTime: 0,
  });
}

/** Reads a changed transaction and updates its row in place, without reloading a list. */
export async function refreshTransaction(transactionId: string): Promise<TransactionDetail> {
  await queryClient.invalidateQueries({ queryKey: refundsQuery(transactionId).queryKey });
  const fresh = await queryClient.fetchQuery(detailQuery(transactionId));
  queryClient.setQueriesData<PageOf<Payment>>(
    { queryKey: LISTS },
    (page) => page && { ...page, items: page.items.map((row) => (row.paymentId === transactionId ? { ...row, transaction: fresh } : row)) },
  );
  return fresh;
}

/** Returns a transaction from the loaded lists, to show before its details are loaded. */
export function rowInLists(transactionId: string): Transaction | undefined {
  for (const [, page] of queryClient.getQueriesData<PageOf<Payment>>({ queryKey: LISTS })) {
    const row = page?.items.find(({ paymentId }) => paymentId === transactionId);
    if (row?.transaction) return row.transaction;
  }
  return undefined;
}

/** Returns true if an operation of the transaction is unconfirmed. */
function isUnconfirmed({ status, reservedAmount, pendingReason }: Transaction): boolean {
  return status === 'pending' || reservedAmount > 0 || pendingReason !== null;
}
