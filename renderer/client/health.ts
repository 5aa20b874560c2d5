import { useQuery } from '@tanstack/react-query';
import { api, take } from './api.ts';

const POLL_MS = 10_000;
/** What is down is looked at more often, so that the screen goes on soon after it is back. */
const POLL_DOWN_MS = 2_000;

/** What answers and what does not; `outdated` is a station whose program is older than the database. */
export type Health = 'unknown' | 'well' | 'database-down' | 'outdated' | 'unreachable';

/** Asks the service every ten seconds how it is, and every two while something is down. */
export function useHealth(): { health: Health; version: string | undefined } {
  const { data, error } = useQuery({
    queryKey: ['health'],
    queryFn: () => take(api.GET('/health')),
    refetchInterval: ({ state }) => (state.error || state.data?.status === 'degraded' ? POLL_DOWN_MS : POLL_MS),
    refetchIntervalInBackground: true,
    retry: 1,
    staleTime: 0,
  });
  if (error) return { health: error.status === 0 ? 'unreachable' : 'database-down', version: data?.version };
  if (!data) return { health: 'unknown', version: undefined };
  if (data.status === 'ok') return { health: 'well', version: data.version };
  return { health: data.database.status === 'outdated' ? 'outdated' : 'database-down', version: data.version };
}
