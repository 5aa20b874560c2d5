import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from '#renderer/base/client';

/** Polling interval. A part that goes down must be shown as such within ten seconds. */
const POLL_INTERVAL_MS = 5_000;

/** System status, polled while on screen. */
export const statusQuery = queryOptions({
  queryKey: ['system', 'status'],
  queryFn: ({ signal }) => takeData(api.GET('/api/v1/system/status', { signal })),
  staleTime: 0,
  refetchInterval: POLL_INTERVAL_MS,
});
