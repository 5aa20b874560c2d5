import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  ApiFailure,
  api,
  type BatchPayout,
  type PageOf,
  type Payout,
  queryClient,
  type Refund,
  type SettlementStanding,
  type Transaction,
  takeData,
  takePage,
} from '#renderer/client';
import type { Period } from './operations.ts';
import { addDays } from './words.ts';

export const PAGE_SIZE = 50;
/** Lines of a settlement at a time. */
export const LINES_SHOWN = 25;
/** As many as the service gives in one page. */
const PAGE_MAX = 200;
/** How far a list is read for the parts of a total. */
const PAGES_READ_MAX = 25;
/** The standing is asked for again by itself: a cutoff passes without a word where nothing was taken. */
const LOOK_MS = 60_000;
const DAYS_PAID = 30;
const DAY_MS = 86_400_000;
/** Before the first settlement, and beyond the longest delay. */
const FIRST_DAY = '2000-01-01';
const DELAY_DAYS_MAX = 31;

/** What is not settled, settled and not paid, and paid of late. */
export function standingQuery(merchantId: string) {
  return queryOptions({
    queryKey: ['settlement', 'standing', merchantId],
    queryFn: () => takeData(api.GET('/api/v1/settlement/summary', { params: { query: { merchantId } } })),
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

/** What was settled in a period, with its sums. */
export function fundingQuery(merchantId: string, period: Period) {
  return queryOptions({
    queryKey: ['settlement', 'funding', merchantId, period],
    queryFn: ({ signal }) =>
      takeData(api.GET('/api/v1/settlement/funding-report', { params: { query: { merchantId, ...period } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every settlement that is not paid in full, newest first, in the merchant's currency. */
export function unpaidQuery(merchantId: string, today: string) {
  const query = { merchantId, startDate: FIRST_DAY, endDate: addDays(today, DELAY_DAYS_MAX) };
  return queryOptions({
    queryKey: ['settlement', 'unpaid', merchantId, today],
    queryFn: async ({ signal }) => {
      const { settlements } = await takeData(api.GET('/api/v1/settlement/funding-report', { params: { query }, signal }));
      return settlements.filter(({ status }) => status === 'pending').toReversed();
    },
  });
}

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

const payoutPage = (merchantId: string, page: number, limit: number) =>
  takePage(api.GET('/api/v1/settlement/payouts', { params: { query: { merchantId, page, limit } } }));
const batchPage = (merchantId: string, page: number, limit: number) =>
  takePage(api.GET('/api/v1/settlement/batch-payouts', { params: { query: { merchantId, page, limit } } }));

/** A page of the payouts, newest first. */
export function payoutsQuery(merchantId: string, page: number) {
  return queryOptions({
    queryKey: ['settlement', 'payouts', merchantId, page],
    queryFn: () => payoutPage(merchantId, page, PAGE_SIZE),
    placeholderData: keepPreviousData,
  });
}

/** A page of the batches, newest first. */
export function batchesQuery(merchantId: string, page: number) {
  return queryOptions({
    queryKey: ['settlement', 'batches', merchantId, page],
    queryFn: () => batchPage(merchantId, page, PAGE_SIZE),
    placeholderData: keepPreviousData,
  });
}

/** One payout. The service lists them only, so it is looked for. */
export function payoutQuery(merchantId: string, id: string) {
  return queryOptions({
    queryKey: ['settlement', 'payout', merchantId, id],
    queryFn: async () => {
      const found = (
        await readAll(
          (page) => payoutPage(merchantId, page, PAGE_MAX),
          (row) => row.payoutId === id,
        )
      ).find(({ payoutId }) => payoutId === id);
      if (found) return found;
      throw new ApiFailure('NOT_FOUND', 'There is no such payout.', { status: 404 });
    },
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

/** What pays something of a settlement, or paid it, newest first. Nothing older than the settlement can. */
export function paymentsQuery(merchantId: string, settlementId: string, sinceAt: string) {
  return queryOptions({
    queryKey: ['settlement', 'payments', settlementId],
    queryFn: async (): Promise<Outgoing[]> => {
      const isOlder = ({ createdAt }: { createdAt: string }) => createdAt < sinceAt;
      const [payouts, batches] = await Promise.all([
        readAll((page) => payoutPage(merchantId, page, PAGE_MAX), isOlder),
        readAll((page) => batchPage(merchantId, page, PAGE_MAX), isOlder),
      ]);
      return newestFirst([
        ...payouts.flatMap((payout) => {
          const part = payout.settlements.find((each) => each.settlementId === settlementId);
          return part ? [{ ...ofPayout(payout), amount: part.amount }] : [];
        }),
        ...batches.filter(({ settlementIds }) => settlementIds.includes(settlementId)).map(ofBatch),
      ]);
    },
    staleTime: 0,
  });
}

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

export const ofBatch = ({ batchId, settlementIds, netAmount, ...rest }: BatchPayout): Outgoing => ({
  ...rest,
  id: batchId,
  kind: 'batch',
  amount: netAmount,
  settlementCount: settlementIds.length,
});

const newestFirst = (rows: readonly Outgoing[]) =>
  rows.toSorted((one, other) => (other.paidAt ?? other.createdAt).localeCompare(one.paidAt ?? one.createdAt));

/** What reached the bank within 30 days in the merchant's currency, newest first: the parts of that total. */
export function paidQuery(merchantId: string, currency: string, nowMs: number) {
  const since = new Date(nowMs - DAYS_PAID * DAY_MS).toISOString();
  return queryOptions({
    // To the day: the total moves with the minute, and is asked for with it.
    queryKey: ['settlement', 'paid', merchantId, currency, since.slice(0, 10)],
    queryFn: async () => {
      const [payouts, batches] = await Promise.all([
        readAll(
          (page) => payoutPage(merchantId, page, PAGE_MAX),
          ({ createdAt }) => createdAt < since,
        ),
        // A batch may be told paid long after it was made.
        readAll(
          (page) => batchPage(merchantId, page, PAGE_MAX),
          () => false,
        ),
      ]);
      const all = [...payouts.map(ofPayout), ...batches.map(ofBatch)];
      return newestFirst(
        all.filter((row) => row.currency === currency && row.status === 'paid' && row.paidAt !== null && row.paidAt >= since),
      );
    },
  });
}

/** Something taken or given back that no settlement holds yet. */
export interface Unsettled {
  readonly id: string;
  readonly kind: 'capture' | 'refund';
  readonly transactionId: string;
  /** Below zero for a refund. */
  readonly amount: number;
  readonly at: string;
}

/** The parts of what is unsettled, newest first. Lists are read until as many are found as the service counts. */
export function unsettledQuery({ merchantId, currency, unsettled }: SettlementStanding) {
  return queryOptions({
    queryKey: ['settlement', 'unsettled', merchantId, currency, unsettled],
    queryFn: async (): Promise<Unsettled[]> => {
      const found: Unsettled[] = [];
      const isDone = () => found.length >= unsettled.count;
      const query = (page: number) => ({ merchantId, page, limit: PAGE_MAX });
      let hasMore = true;
      for (let page = 1; hasMore && !isDone() && page <= PAGES_READ_MAX; page += 1) {
        const [captures, refunds] = await Promise.all([
          takePage(api.GET('/api/v1/transactions', { params: { query: { ...query(page), status: 'approved' } } })),
          takePage(api.GET('/api/v1/refunds', { params: { query: { ...query(page), status: 'approved' } } })),
        ]);
        found.push(
          ...captures.items.flatMap((row) => ofCapture(row, currency)),
          ...refunds.items.flatMap((row) => ofRefund(row, currency)),
        );
        hasMore = page * PAGE_MAX < Math.max(captures.total, refunds.total);
      }
      return found.toSorted((one, other) => other.at.localeCompare(one.at));
    },
    placeholderData: keepPreviousData,
  });
}

function ofCapture(
  { transactionId, capturedAmount, capturedAt, createdAt, settledAt, currency }: Transaction,
  wanted: string,
): Unsettled[] {
  if (settledAt !== null || capturedAmount <= 0 || currency !== wanted) return [];
  return [{ id: transactionId, kind: 'capture', transactionId, amount: capturedAmount, at: capturedAt ?? createdAt }];
}

function ofRefund({ refundId, transactionId, amount, refundedAt, settledAt, currency }: Refund, wanted: string): Unsettled[] {
  if (settledAt !== null || refundedAt === null || currency !== wanted) return [];
  return [{ id: refundId, kind: 'refund', transactionId, amount: -amount, at: refundedAt }];
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

/** After a change, or a refusal that shows that somebody else made one. */
export const refreshSettlement = () => queryClient.invalidateQueries({ queryKey: ['settlement'] });
