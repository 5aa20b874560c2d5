import { queryOptions } from '@tanstack/react-query';
import { type Archive, api, queryClient, takeData } from '#renderer/base/client';

/** Polling interval while an archive or a check is running. */
const BUSY_POLL_MS = 700;
const IDLE_POLL_MS = 30_000;

/** Settings of the archive, and all archives. */
export const archiveQuery = queryOptions({
  queryKey: ['archive'],
  queryFn: ({ signal }) => takeData(api.GET('/api/v1/system/archive', { signal })),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data && (state.data.isUnderWay || state.data.archives.some(isChecking)) ? BUSY_POLL_MS : IDLE_POLL_MS,
});

export const isChecking = ({ check }: Archive) => check.status === 'waiting';

/** Also reads the archived years of the audit log again. */
export async function refreshArchives(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['audit'] });
  await queryClient.invalidateQueries({ queryKey: ['archive'] });
}

export const beginArchive = () => takeData(api.POST('/api/v1/system/archive', {}));
export const checkArchive = (archiveId: string) => takeData(api.POST('/api/v1/system/archive/check', { body: { archiveId } }));

interface SettingsChange {
  readonly isOn: boolean;
  readonly keepYears: number;
  readonly folder?: string | null;
}

export const changeArchive = (change: SettingsChange) => takeData(api.PUT('/api/v1/system/archive', { body: change }));
