import { useQuery } from '@tanstack/react-query';
import { api, take } from './api.ts';

const POLL_MS = 10_000;

/** What answers and what does not. */
export type Health = 'unknown' | 'well' | 'database-down' | 'unreachable';

/** Asks the service every ten seconds how it is. */
export function useHealth(): { health: Health; version: string | undefined } {
  const { data, error } = useQuery({
    queryKey: ['health'],
    queryFn: () => take(api.GET('/health')),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
    retry: 1,
    staleTime: 0,
  });
  if (error) return { health: error.status === 0 ? 'unreachable' : 'database-down', version: data?.version };
  if (!data) return { health: 'unknown', version: undefined };
  return { health: data.status === 'ok' ? 'well' : 'database-down', version: data.version };
}
