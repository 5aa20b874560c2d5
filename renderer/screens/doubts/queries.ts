import { queryOptions } from '@tanstack/react-query';
import { api, doubtCountsQuery, queryClient, take, takeData } from '#renderer/client';

/** Polling interval: inquiries without a result are not published. */
const LOOK_EVERY_MS = 5_000;

const LIST_KEY = ['doubts', 'list'] as const;

/** Unconfirmed operations of a merchant, oldest first, polled while on screen. */
export function doubtsQuery(merchantId: string) {
  return queryOptions({
    queryKey: [...LIST_KEY, merchantId],
    queryFn: async ({ signal }) => {
      const { data, counts } = await take(api.GET('/api/v1/doubts', { params: { query: { merchantId } }, signal }));
      queryClient.setQueryData(doubtCountsQuery(merchantId).queryKey, counts);
      return { doubts: data, counts };
    },
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  });
}

const on = (id: string) => ({ params: { path: { id } } });

export const inquire = (id: string) => takeData(api.POST('/api/v1/doubts/{id}/inquire', on(id)));
export type Inquired = Awaited<ReturnType<typeof inquire>>;

export interface Decision {
  readonly outcome: 'approved' | 'failed';
  readonly gatewayReference?: string;
  readonly note: string;
}

export const conclude = (id: string, body: Decision) => takeData(api.POST('/api/v1/doubts/{id}/conclude', { ...on(id), body }));

/** Shortest note on a decision. */
export const NOTE_MIN = 5;
export const NOTE_MAX = 500;

export const acknowledge = (id: string, note: string) =>
  takeData(api.POST('/api/v1/doubts/{id}/acknowledge', { ...on(id), body: { note } }));

/** After an inquiry or a decision, or a refusal that shows that it has ended. */
export async function refreshDoubts(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: LIST_KEY }), queryClient.invalidateQueries({ queryKey: ['transactions'] })]);
}
