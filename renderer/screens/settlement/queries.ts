import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  api,
  type BatchPayout,
  type PageOf,
  type Payout,
  queryClient,
  type SettlementStanding,
  takeData,
  takePage,
} from '#renderer/client';
import type { Period } from './operations.ts';

export const PAGE_SIZE = 50;
/** Lines of a settlement at a time. */
export const LINES_SHOWN = 25;
/** Largest page of the service. */
const PAGE_MAX = 200;
/** Largest number of pages read for the parts of a total. */
const PAGES_READ_MAX = 25;
/** Polling interval of the summary: a cutoff without captures is not published. */
const LOOK_MS = 60_000;

/** Unsettled, unpaid and recently paid amounts. */
export function standingQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settlement', 'standing', merchantId],
    queryFn: async () => ({
      ...(await takeData(api.GET('/api/v1/settlement/summary', { params: { query: { merchantId } } }))),
      merchantId,
    }),
    refetchInterval: LOOK_MS,
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
  return queryOptions({
    queryKey: ['settlement', 'history', merchantId, page],
    queryFn: ({ signal }) => takePage(api.GET('/api/v1/settlement/history/{merchantId}', { params, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A page of what was settled in a period, oldest first, with the sums of all of it. */
export function fundingQuery(merchantId: string, currency: string, period: Period, page: number) {
  const query = { merchantId, currency, ...period, page, limit: PAGE_SIZE };
  return queryOptions({
    queryKey: ['settlement', 'funding', merchantId, currency, period, page],
    queryFn: async ({ signal }) => takeData(api.GET('/api/v1/settlement/funding-report', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A page of the settlements of a currency that are not paid in full, newest first. */
export function unpaidPageQuery(merchantId: string, currency: string, page: number) {
  return queryOptions({
    queryKey: ['settlement', 'unpaid', merchantId, currency, page],
    queryFn: () => unpaidPage(merchantId, currency, page, PAGE_SIZE),
    placeholderData: keepPreviousData,
  });
}

/** All of them, as far as lists are read. */
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

/** A page of the captures and refunds that make a settlement. */
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

const payoutPage = (of: OutgoingFilter, page: number, limit: number) =>
  takePage(api.GET('/api/v1/settlement/payouts', { params: { query: { ...of, page, limit } } }));
const batchPage = (of: OutgoingFilter, page: number, limit: number) =>
  takePage(api.GET('/api/v1/settlement/batch-payouts', { params: { query: { ...of, page, limit } } }));

/** A page of the payouts, newest first. */
export function payoutsQuery(merchantId: string, page: number) {
  return queryOptions({
    queryKey: ['settlement', 'payouts', merchantId, page],
    queryFn: () => payoutPage({ merchantId }, page, PAGE_SIZE),
    placeholderData: keepPreviousData,
  });
}

/** A page of the batches, newest first. */
export function batchesQuery(merchantId: string, page: number) {
  return queryOptions({
    queryKey: ['settlement', 'batches', merchantId, page],
    queryFn: () => batchPage({ merchantId }, page, PAGE_SIZE),
    placeholderData: keepPreviousData,
  });
}

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
      const [payouts, batches] = await everyOutgoing({ merchantId, settlementId });
      return newestFirst([
        ...payouts.map((payout) => {
          const part = payout.settlements.find((each) => each.settlementId === settlementId);
          return { ...ofPayout(payout), amount: part?.amount ?? payout.amount };
        }),
        ...batches.map(ofBatch),
      ]);
    },
    staleTime: 0,
  });
}

const everyOutgoing = (of: OutgoingFilter) =>
  Promise.all([
    readAll(
      (page) => payoutPage(of, page, PAGE_MAX),
      () => false,
    ),
    readAll(
      (page) => batchPage(of, page, PAGE_MAX),
      () => false,
    ),
  ]);

/** Money on its way to the bank, singly or in a batch. */
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

export const ofPayout = ({ payoutId, settlements, ...rest }: Payout): Outgoing => ({
  ...rest,
  id: payoutId,
  kind: 'payout',
  settlementCount: settlements.length,
});

const ofBatch = ({ batchId, settlementIds, netAmount, ...rest }: BatchPayout): Outgoing => ({
  ...rest,
  id: batchId,
  kind: 'batch',
  amount: netAmount,
  settlementCount: settlementIds.length,
});

const newestFirst = (rows: readonly Outgoing[]) =>
  rows.toSorted((one, other) => (other.paidAt ?? other.createdAt).localeCompare(one.paidAt ?? one.createdAt));

/** Payouts of the last 30 days in the merchant's currency, newest first: the parts of that total. */
export function paidQuery({ merchantId, currency, paidSince, paidIn30Days }: SettlementStanding) {
  return queryOptions({
    // To the day: the total moves with the minute, and is asked for with it.
    queryKey: ['settlement', 'paid', merchantId, currency, paidSince.slice(0, 10), paidIn30Days],
    queryFn: async () => {
      const [payouts, batches] = await everyOutgoing({ merchantId, currency, paidSince });
      return newestFirst([...payouts.map(ofPayout), ...batches.map(ofBatch)]);
    },
    placeholderData: keepPreviousData,
  });
}

/** A page of what is unsettled, newest first. */
export function unsettledQuery(merchantId: string, currency: string, page: number) {
  const query = { merchantId, currency, page, limit: PAGE_SIZE };
  return queryOptions({
    queryKey: ['settlement', 'unsettled', merchantId, currency, page],
    queryFn: () => takePage(api.GET('/api/v1/settlement/unsettled', { params: { query } })),
    placeholderData: keepPreviousData,
  });
}

/** Reads a list page by page until one of its rows says that it is enough. */
async function readAll<Row>(read: (page: number) => Promise<PageOf<Row>>, isEnough: (row: Row) => boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= PAGES_READ_MAX; page += 1) {
    const { items, total } = await read(page);
    rows.push(...items);
    if (rows.length >= total || items.length === 0 || items.some(isEnough)) break;
  }
  return rows;
}

/** Refreshes the lists after a change, or after a refusal that shows a change by somebody else. */
export const refreshSettlement = () => queryClient.invalidateQueries({ queryKey: ['settlement'] });
