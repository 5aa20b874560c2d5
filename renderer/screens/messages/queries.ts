import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Message, type MessageQuery, queryClient, takeData, takePage } from '#renderer/base/client';

/** Rows on a page. */
export const PAGE_SIZE = 50;
const POLL_INTERVAL_MS = 3_000;

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
    refetchInterval: ({ state }) => (state.data?.items.some(isInProgress) ? POLL_INTERVAL_MS : false),
  });
}

/** One message. */
export function messageQuery(messageId: string) {
  return queryOptions({
    queryKey: ['messages', 'one', messageId],
    queryFn: () => takeData(api.GET('/api/v1/notifications/messages/{id}', { params: { path: { id: messageId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? POLL_INTERVAL_MS : false),
  });
}

/** Sends a message again, optionally to another address. */
export const resend = (messageId: string, to: string | undefined) =>
  takeData(
    api.POST('/api/v1/notifications/messages/{id}/resend', { params: { path: { id: messageId } }, body: to === undefined ? {} : { to } }),
  );

/** Sends all messages that were written before their channel was set up. Returns their number. */
export const resendWaiting = (channel: 'email' | 'sms') =>
  takeData(api.POST('/api/v1/notifications/messages/resend-waiting', { body: { channel } }));

/** Refreshes the lists after a change, or after a rejection that is caused by a change of another user. */
export const refreshMessages = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['messages'] }), queryClient.invalidateQueries({ queryKey: ['settings'] })]);

const isInProgress = ({ status }: Message) => status === 'queued';
