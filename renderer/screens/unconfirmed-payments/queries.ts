import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, take, takeData, unconfirmedCountsQuery } from '#renderer/base/client';

/** Polling interval: inquiries without a result are not published. */
const POLL_MS = 5_000;

const LIST_KEY = ['unconfirmed-payments', 'list'] as const;

/** Unconfirmed operations of a merchant, oldest first, polled while on screen. */
export function unconfirmedQuery(merchantId: string) {
  return queryOptions({
    queryKey: [...LIST_KEY, merchantId],
    queryFn: async ({ signal }) => {
      const { data, counts } = await take(api.GET('/api/v1/unconfirmed-payments', { params: { query: { merchantId } }, signal }));
      queryClient.setQueryData(unconfirmedCountsQuery(merchantId).queryKey, counts);
      return { operations: data, counts };
    },
    staleTime: 0,
    refetchInterval: POLL_MS,
  });
}

const pathOf = (id: string) => ({ params: { path: { id } } });

export const inquire = (id: string) => takeData(api.POST('/api/v1/unconfirmed-payments/{id}/inquire', pathOf(id)));
export type Inquired = Awaited<ReturnType<typeof inquire>>;

export interface RecordedOutcome {
  readonly outcome: 'approved' | 'failed';
  readonly gatewayReference?: string;
  readonly note: string;
}

export const conclude = (id: string, body: RecordedOutcome) =>
  takeData(api.POST('/api/v1/unconfirmed-payments/{id}/conclude', { ...pathOf(id), body }));

/** Minimum length of a note. */
export const NOTE_MIN = 5;
export const NOTE_MAX = 500;

export const acknowledge = (id: string, note: string) =>
  takeData(api.POST('/api/v1/unconfirmed-payments/{id}/acknowledge', { ...pathOf(id), body: { note } }));

/** Refreshes the lists after an inquiry or a recorded outcome, or after a refusal because the operation is confirmed already. */
export async function refreshUnconfirmed(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: LIST_KEY }), queryClient.invalidateQueries({ queryKey: ['transactions'] })]);
}
