import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/base/client';
import type { TabId } from './use-view.ts';

/** Rows on a page. */
export const PAGE_SIZE = 50;
const BASE = ['settlement', 'reconciliation'] as const;

/** Merchant whose lines are compared; all merchants if it is absent. */
export type MerchantScope = string | undefined;

const merchantParam = (merchantId: MerchantScope) => (merchantId === undefined ? {} : { merchantId });

/** State of a day, which the service compares if needed; today without a day. */
export function reportQuery(merchantId: MerchantScope, date: string | undefined) {
  return queryOptions({
    queryKey: [...BASE, 'report', merchantId, date],
    queryFn: () =>
      takeData(
        api.GET('/api/v1/settlement/reconciliation', {
          params: { query: { ...merchantParam(merchantId), ...(date === undefined ? {} : { date }) } },
        }),
      ),
    staleTime: 0,
    retry: false,
  });
}

/** Each day of a month, YYYY-MM. */
export function daysQuery(merchantId: MerchantScope, month: string) {
  return queryOptions({
    queryKey: [...BASE, 'days', merchantId, month],
    queryFn: () =>
      takeData(api.GET('/api/v1/settlement/reconciliation/days', { params: { query: { ...merchantParam(merchantId), month } } })),
    staleTime: 0,
  });
}

/** One page of a run's lines. Lines of an older run of the same day stay on screen until those of a newer one are loaded. */
export function linesQuery(date: string, runId: string, kind: TabId, page: number) {
  return queryOptions({
    queryKey: [...BASE, 'lines', date, runId, kind, page],
    queryFn: ({ signal }) =>
      takePage(
        api.GET('/api/v1/settlement/reconciliation/{runId}/items', {
          params: { path: { runId }, query: { kind, page, limit: PAGE_SIZE } },
          signal,
        }),
      ),
    placeholderData: (before, query) => (query?.queryKey[3] === date ? before : undefined),
    staleTime: 0,
  });
}

export interface CompareRequest {
  readonly date: string;
  readonly merchantId: MerchantScope;
  /** Compares with an imported file in place of the processor's report. */
  readonly importId?: string | undefined;
}

/** Compares a day again. */
export const compareAgain = ({ date, merchantId, importId }: CompareRequest) =>
  takeData(
    api.POST('/api/v1/settlement/reconciliation/auto', {
      body: { date, ...merchantParam(merchantId), ...(importId === undefined ? {} : { importId }) },
    }),
  );

/** Explains a discrepancy. */
export const explain = (id: string, note: string) =>
  takeData(api.POST('/api/v1/settlement/reconciliation/discrepancies/{id}/resolve', { params: { path: { id } }, body: { note } }));

/** Removes the explanation of a discrepancy that has this time. A newer explanation is kept. */
export const reopen = (id: string, resolvedAt: string) =>
  takeData(api.POST('/api/v1/settlement/reconciliation/discrepancies/{id}/reopen', { params: { path: { id } }, body: { resolvedAt } }));

/** Refreshes the lists after a change, or after a rejection that is caused by a change of another user. */
export const refreshReconciliation = () => queryClient.invalidateQueries({ queryKey: [...BASE] });
