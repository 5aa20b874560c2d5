import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from './api.ts';

/** How e-mails and texts go out, and how each way fares. */
export const messageChannelsQuery = queryOptions({
  queryKey: ['settings', 'message-channels'],
  queryFn: () => takeData(api.GET('/api/v1/notifications/channels')),
  staleTime: 0,
});
