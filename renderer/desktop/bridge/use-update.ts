import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RestartOutcome, UpdateState } from '#bridge';
import { useDesktop } from './desktop.ts';

const QUERY_KEY = ['desktop', 'update'];

/** State of updates, with the available actions. */
export interface Update {
  readonly state: UpdateState;
  check(): void;
  restart(): Promise<RestartOutcome>;
}

/** Returns the state of updates; undefined in a browser and until it is known. */
export function useUpdate(): Update | undefined {
  const { application } = useDesktop();
  const client = useQueryClient();
  const { data: state } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: () => application?.readUpdate() ?? null,
    enabled: application !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => application?.onUpdate((update) => client.setQueryData(QUERY_KEY, update)), [application, client]);
  if (!application || !state) return undefined;
  return {
    state,
    check: () => void application.checkForUpdate().catch(() => undefined),
    restart: () => application.restartToUpdate(),
  };
}
