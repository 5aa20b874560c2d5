import { queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, type Backup, queryClient, requestFile, take, takeData } from '#renderer/base/client';
import { saveAs } from '#renderer/session/download';

const LISTED_MAX = 50;
/** Polling interval while a backup or a check is running. */
const BUSY_POLL_MS = 700;
const IDLE_POLL_MS = 30_000;
const NAME = 'paydesk-export.tar.gz';

const isBusy = ({ status, check }: Backup) =>
  status === 'waiting' || status === 'running' || check.status === 'waiting' || check.status === 'running';

/** Schedule and last backup, and whether charges are paused after a restore. */
export const backupQuery = queryOptions({
  queryKey: ['backup', 'overview'],
  queryFn: ({ signal }) => takeData(api.GET('/api/v1/system/backup', { signal })),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data && (state.data.isUnderWay || (state.data.last && isBusy(state.data.last))) ? BUSY_POLL_MS : IDLE_POLL_MS,
  retry: (count, failure) => !(failure instanceof ApiFailure && failure.status === 403) && count < 2,
});

/** Backups, newest first. */
export const backupsQuery = queryOptions({
  queryKey: ['backup', 'list'],
  queryFn: async ({ signal }) => (await take(api.GET('/api/v1/system/backups', { params: { query: { limit: LISTED_MAX } }, signal }))).data,
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isBusy) ? BUSY_POLL_MS : IDLE_POLL_MS),
});

export const refreshBackups = () => queryClient.invalidateQueries({ queryKey: ['backup'] });

export const beginBackup = () => takeData(api.POST('/api/v1/system/backup', {}));
export const checkBackup = (backupId: string) => takeData(api.POST('/api/v1/system/backup/check', { body: { backupId } }));
export const resumeCharges = () => takeData(api.POST('/api/v1/system/backup/resume', {}));

/** Changes of the schedule. */
interface ScheduleChange {
  readonly isOn: boolean;
  readonly time: string;
  readonly keep: number;
  readonly folder?: string | null;
}

export const changeBackup = (change: ScheduleChange) => takeData(api.PUT('/api/v1/system/backup', { body: change }));

/** Saves the data of the account as one archive. */
export async function saveExport(): Promise<void> {
  saveAs(await (await requestFile('/api/v1/system/export', 'POST')).blob(), NAME);
}
