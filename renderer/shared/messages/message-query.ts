import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from '#renderer/base/client';

const POLL_MS = 2_000;
/** Largest number of status checks of a message; afterwards the outbox shows its status. */
const POLLS_MAX = 60;

/** Status of a message, polled while it is queued. */
export function messageQuery(messageId: string) {
  return queryOptions({
    queryKey: ['messages', 'one', messageId],
    queryFn: () => takeData(api.GET('/api/v1/notifications/messages/{id}', { params: { path: { id: messageId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'queued' && state.dataUpdateCount < POLLS_MAX ? POLL_MS : false),
  });
}
