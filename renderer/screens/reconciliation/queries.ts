import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/client';
import type { TabId } from './use-view.ts';

/** Rows on a page. */
export const PAGE_SIZE = 50;
const BASE = ['settlement', 'reconciliation'] as const;

/** Merchant whose lines are compared; all merchants if it is absent. */
export type Whose = string | undefined;

const of = (merchantId: Whose) => (merchantId === undefined ? {} : { merchantId });

/** State of a day, which the service compares if needed; today without a day. */
export function reportQuery(merchantId: Whose, date: string | undefined) {
  return queryOptions({
    queryKey: [...BASE, 'report', merchantId, date],
    queryFn: () =>
      takeData(
        api.GET('/api/v1/settlement/reconciliation', { params: { query: { ...of(merchantId), ...(date === undefined ? {} : { date }) } } }),
      ),
    staleTime: 0,
    retry: false,
  });
}

/** Each day of a month, YYYY-MM. */
export function daysQuery(merchantId: Whose, month: string) {
  return queryOptions({
    queryKey: [...BASE, 'days', merchantId, month],
    queryFn: () => takeData(api.GET('/api/v1/settlement/reconciliation/days', { params: { query: { ...of(merchantId), month } } })),
    staleTime: 0,
  });
}

/** One page of a run's lines. A newer run of the same day takes the place of the old one without a blank in between. */
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

export interface Wanted {
  readonly date: string;
  readonly merchantId: Whose;
  /** Compares with an imported file in place of the processor's report. */
  readonly importId?: string | undefined;
}

/** Compares a day again. */
export const runAgain = ({ date, merchantId, importId }: Wanted) =>
  takeData(
    api.POST('/api/v1/settlement/reconciliation/auto', {
      body: { date, ...of(merchantId), ...(importId === undefined ? {} : { importId }) },
    }),
  );

/** Explains a discrepancy. */
export const explain = (id: string, note: string) =>
  takeData(api.POST('/api/v1/settlement/reconciliation/discrepancies/{id}/resolve', { params: { path: { id } }, body: { note } }));

/** Refreshes the lists after a change, or after a refusal that shows a change by somebody else. */
export const refreshReconciliation = () => queryClient.invalidateQueries({ queryKey: [...BASE] });
