import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Message, type MessageQuery, queryClient, takeData, takePage } from '#renderer/client';

/** Rows on a page. */
export const PAGE_SIZE = 50;
const UNDER_WAY_MS = 3_000;

/** Filter of the outbox, stored in the address. */
export type OutboxFilter = Pick<MessageQuery, 'channel' | 'status' | 'kind' | 'resourceId' | 'q'>;

/** One page of the outbox, newest first, polled while a message is on its way. */
export function outboxQuery(filter: OutboxFilter, page: number) {
  return queryOptions({
    queryKey: ['messages', 'list', filter, page],
    queryFn: ({ signal }) =>
      takePage(api.GET('/api/v1/notifications/messages', { params: { query: { ...filter, page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? UNDER_WAY_MS : false),
  });
}

/** One message. */
export function messageQuery(messageId: string) {
  return queryOptions({
    queryKey: ['messages', 'one', messageId],
    queryFn: () => takeData(api.GET('/api/v1/notifications/messages/{id}', { params: { path: { id: messageId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? UNDER_WAY_MS : false),
  });
}

/** Sends a message again, optionally to another address. */
export const resend = (messageId: string, to: string | undefined) =>
  takeData(
    api.POST('/api/v1/notifications/messages/{id}/resend', { params: { path: { id: messageId } }, body: to === undefined ? {} : { to } }),
  );

/** Refreshes the lists after a change, or after a refusal that shows a change by somebody else. */
export const refreshMessages = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['messages'] }), queryClient.invalidateQueries({ queryKey: ['settings'] })]);

const isUnderWay = ({ status }: Message) => status === 'queued';
