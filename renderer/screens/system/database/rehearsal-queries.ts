import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData } from '#renderer/base/client';

/** Polling interval while a rehearsal is running, and otherwise. */
const BUSY_POLL_MS = 1_000;
const IDLE_POLL_MS = 15_000;
const PATH = '/api/v1/system/failover-rehearsal';

/** Failover rehearsals with their certificates. During the failover the service answers 503, and the last response stays on screen. */
export const rehearsalQuery = queryOptions({
  queryKey: ['system', 'failover-rehearsal'],
  queryFn: ({ signal }) => takeData(api.GET(PATH, { signal })),
  staleTime: 0,
  retry: false,
  refetchInterval: ({ state }) => (state.data?.running ? BUSY_POLL_MS : IDLE_POLL_MS),
});

export const refreshRehearsals = () => queryClient.invalidateQueries({ queryKey: rehearsalQuery.queryKey });

export const startRehearsal = () => takeData(api.POST(PATH, { body: {} }));

export const stopRehearsal = () => takeData(api.DELETE(PATH, {}));
