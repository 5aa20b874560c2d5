import { queryOptions } from '@tanstack/react-query';
import { api, takeData } from '#renderer/client';

/** A part that goes down is red within ten seconds, with time to spare. */
const LOOK_EVERY_MS = 5_000;

/** System status, polled while on screen. */
export const statusQuery = queryOptions({
  queryKey: ['system', 'status'],
  queryFn: ({ signal }) => takeData(api.GET('/api/v1/system/status', { signal })),
  staleTime: 0,
  refetchInterval: LOOK_EVERY_MS,
});
