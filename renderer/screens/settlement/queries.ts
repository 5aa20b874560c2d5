import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  api,
  type BatchPayout,
  keptQuery,
  type PageOf,
  type Payout,
  queryClient,
  type SettlementSummary,
  takeData,
  takePage,
} from '#renderer/base/client';
import type { Period } from './operations.ts';

export const PAGE_SIZE = 50;
/** Lines of a settlement per page. */
export const LINES_SHOWN = 25;
/** Largest page of the service. */
const PAGE_MAX = 200;
/** Largest number of pages read for the parts of a total. */
const PAGES_READ_MAX = 25;
/** Polling interval of the summary: a cutoff without captures is not published. */
const POLL_INTERVAL_MS = 60_000;

/** Unsettled, unpaid and recently paid amounts. */
export function summaryQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settlement', 'balances', merchantId],
    queryFn: async () => ({
      ...(await takeData(api.GET('/api/v1/settlement/summary', { params: { query: { merchantId } } }))),
      merchantId,
    }),
    refetchInterval: POLL_INTERVAL_MS,
  });
}

export function scheduleQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settlement', 'schedule', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/schedule/{merchantId}', { params: { path: { merchantId } } })),
    staleTime: 0,
  });
}

/** A page of the settlements, newest first. */
export function historyQuery(merchantId: string, page: number) {
  const params = { path: { merchantId }, query: { page, limit: PAGE_SIZE } };
  return keptQuery(['settlement', 'history', merchantId, page], (signal) =>
    takePage(api.GET('/api/v1/settlement/history/{merchantId}', { params, signal })),
  );
}

/** A page of the settlements of a period, oldest first, with the totals of all pages. */
export function fundingQuery(merchantId: string, currency: string, period: Period, page: number) {
  const query = { merchantId, currency, ...period, page, limit: PAGE_SIZE };
  return keptQuery(['settlement', 'funding', merchantId, currency, period, page], async (signal) =>
    takeData(api.GET('/api/v1/settlement/funding-report', { params: { query }, signal })),
  );
}

/** A page of the settlements of a currency that are not paid in full, newest first. */
export function unpaidPageQuery(merchantId: string, currency: string, page: number) {
  return queryOptions({
    queryKey: ['settlement', 'unpaid', merchantId, currency, page],
    queryFn: () => unpaidPage(merchantId, currency, page, PAGE_SIZE),
    placeholderData: keepPreviousData,
  });
}

/** All unpaid settlements, up to the maximum number of pages. */
export function unpaidQuery(merchantId: string, currency: string) {
  return queryOptions({
    queryKey: ['settlement', 'unpaid', merchantId, currency],
    queryFn: () =>
      readAll(
        (page) => unpaidPage(merchantId, currency, page, PAGE_MAX),
        () => false,
      ),
  });
}

const unpaidPage = (merchantId: string, currency: string, page: number, limit: number) =>
  takePage(
    api.GET('/api/v1/settlement/history/{merchantId}', {
      params: { path: { merchantId }, query: { status: 'pending', currency, page, limit } },
    }),
  );

/** One settlement. */
export function settlementQuery(id: string) {
  return queryOptions({
    queryKey: ['settlement', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/settlement/settlements/{id}', { params: { path: { id } } })),
    staleTime: 0,
  });
}

/** A page of the captures and refunds of a settlement. */
export function linesQuery(id: string, page: number) {
  const params = { path: { id }, query: { page, limit: LINES_SHOWN } };
  return queryOptions({
    queryKey: ['settlement', 'lines', id, page],
    queryFn: () => takePage(api.GET('/api/v1/settlement/settlements/{id}/lines', { params })),
    placeholderData: keepPreviousData,
  });
}

/** Filter of payouts and batches. */
interface OutgoingFilter {
  readonly merchantId: string;
  readonly currency?: string;
  readonly settlementId?: string;
  readonly paidSince?: string;
}

const payoutPage = (filter: OutgoingFilter, page: number, limit: number) =>
  takePage(api.GET('/api/v1/settlement/payouts', { params: { query: { ...filter, page, limit } } }));
const batchPage = (filter: OutgoingFilter, page: number, limit: number) =>
  takePage(api.GET('/api/v1/settlement/batch-payouts', { params: { query: { ...filter, page, limit } } }));

/** One payout. */
export function payoutQuery(payoutId: string) {
  return queryOptions({
    queryKey: ['settlement', 'payout', payoutId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/payouts/{payoutId}', { params: { path: { payoutId } } })),
    staleTime: 0,
  });
}

/** One batch. */
export function batchQuery(batchId: string) {
  return queryOptions({
    queryKey: ['settlement', 'batch', batchId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/batch-payouts/{batchId}', { params: { path: { batchId } } })),
    staleTime: 0,
  });
}

/** Payouts of a settlement, newest first. */
export function paymentsQuery(merchantId: string, settlementId: string) {
  return queryOptions({
    queryKey: ['settlement', 'payments', settlementId],
    queryFn: async (): Promise<Outgoing[]> => {
      const [payouts, batches] = await readAllOutgoing({ merchantId, settlementId });
      return newestFirst([
        ...payouts.map((payout) => {
          const part = payout.settlements.find((each) => each.settlementId === settlementId);
          return { ...outgoingPayout(payout), amount: part?.amount ?? payout.amount };
        }),
        ...batches.map(outgoingBatch),
      ]);
    },
    staleTime: 0,
  });
}

const readAllOutgoing = (filter: OutgoingFilter) =>
  Promise.all([
    readAll(
      (page) => payoutPage(filter, page, PAGE_MAX),
      () => false,
    ),
    readAll(
      (page) => batchPage(filter, page, PAGE_MAX),
      () => false,
    ),
  ]);

/** A payout or a batch payout. */
export interface Outgoing {
  readonly id: string;
  readonly kind: 'payout' | 'batch';
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly reference: string;
  readonly settlementCount: number;
  readonly paidAt: string | null;
  readonly createdAt: string;
}

const outgoingPayout = ({ payoutId, settlements, ...rest }: Payout): Outgoing => ({
  ...rest,
  id: payoutId,
  kind: 'payout',
  settlementCount: settlements.length,
});

const outgoingBatch = ({ batchId, settlementIds, netAmount, ...rest }: BatchPayout): Outgoing => ({
  ...rest,
  id: batchId,
  kind: 'batch',
  amount: netAmount,
  settlementCount: settlementIds.length,
});

const newestFirst = (rows: readonly Outgoing[]) =>
  rows.toSorted((one, other) => (other.paidAt ?? other.createdAt).localeCompare(one.paidAt ?? one.createdAt));

/**
 * Payouts and payouts of batches, newest first; `isNarrowed` gives those of the last 30 days in the merchant's currency, which are the parts of that
 * total.
 */
export function outgoingQuery({ merchantId, currency, paidSince, paidIn30Days }: SettlementSummary, isNarrowed: boolean) {
  return queryOptions({
    // Only the date, because the exact time changes with every request of the summary.
    queryKey: ['settlement', 'outgoing', merchantId, ...(isNarrowed ? [currency, paidSince.slice(0, 10), paidIn30Days] : [])],
    queryFn: async () => {
      const [payouts, batches] = await readAllOutgoing({ merchantId, ...(isNarrowed && { currency, paidSince }) });
      return newestFirst([...payouts.map(outgoingPayout), ...batches.map(outgoingBatch)]);
    },
    placeholderData: keepPreviousData,
  });
}

/** A page of unsettled captures and refunds, newest first. */
export function unsettledQuery(merchantId: string, currency: string, page: number) {
  const query = { merchantId, currency, page, limit: PAGE_SIZE };
  return queryOptions({
    queryKey: ['settlement', 'unsettled', merchantId, currency, page],
    queryFn: () => takePage(api.GET('/api/v1/settlement/unsettled', { params: { query } })),
    placeholderData: keepPreviousData,
  });
}

/** Reads a list page by page until `isEnough` returns true for a row. */
async function readAll<Row>(read: (page: number) => Promise<PageOf<Row>>, isEnough: (row: Row) => boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= PAGES_READ_MAX; page += 1) {
    const { items, total } = await read(page);
    rows.push(...items);
    if (rows.length >= total || items.length === 0 || items.some(isEnough)) break;
  }
  return rows;
}

/** Refreshes the lists after a change, or after a rejection that is caused by a change of another user. */
export const refreshSettlement = () => queryClient.invalidateQueries({ queryKey: ['settlement'] });
