import { useQuery } from '@tanstack/react-query';
import type { paths } from '#client-types';
import { api, take } from './api.ts';

const POLL_MS = 10_000;
/** Interval of health checks after a failure; shorter, so that the screen recovers soon. */
const POLL_DOWN_MS = 2_000;

/** State of the service; `outdated` is a workstation whose program is older than the database. */
export type Health = 'unknown' | 'healthy' | 'database-down' | 'database-damaged' | 'disk-full' | 'outdated' | 'unreachable';

/** Checks the health of the service every ten seconds, and every two seconds while something is down. */
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
  return { health: healthOf(data), version: data.version };
}

type Answer = paths['/health']['get']['responses']['200']['content']['application/json'];

const DATABASE_FAULTS = { unavailable: 'database-down', outdated: 'outdated', damaged: 'database-damaged' } as const;

/** Maps a health response. Low disk space is not a fault here, because payments work; the status page shows it. */
function healthOf({ database, disk }: Answer): Health {
  if (database.status !== 'ok') return DATABASE_FAULTS[database.status];
  return disk.status === 'full' ? 'disk-full' : 'healthy';
}
