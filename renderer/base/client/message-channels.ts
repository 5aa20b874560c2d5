import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from './api.ts';

/** Settings and health of the email and text message channels. */
export const messageChannelsQuery = queryOptions({
  queryKey: ['settings', 'message-channels'],
  queryFn: () => takeData(api.GET('/api/v1/notifications/channels')),
  staleTime: 0,
});
