import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData } from '#renderer/base/client';
import { withCode } from '#renderer/session/confirmation';
import { saveAs } from '#renderer/session/download';

/** The master key, encrypted with a code or passphrase and ready to be saved. */
export interface RecoveryFile {
  readonly keyId: string;
  readonly fileName: string;
  readonly file: string;
  readonly code: string | null;
}

export const createRecoveryFile = (currentPassword: string, passphrase?: string): Promise<RecoveryFile> =>
  withCode((given) =>
    takeData(api.POST('/api/v1/system/recovery-file', { body: { currentPassword, ...(passphrase && { passphrase }), ...given } })),
  );

export async function confirmSaved(keyId: string): Promise<void> {
  await takeData(api.POST('/api/v1/system/recovery-file/saved', { body: { keyId } }));
  await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
}

const readKeys = () => takeData(api.GET('/api/v1/system/keys'));

/** State of the master key and of its recovery file. */
export const keysQuery = queryOptions({
  queryKey: ['system', 'keys'],
  queryFn: readKeys,
});
export type KeyState = Awaited<ReturnType<typeof readKeys>>;

/** Saves the file with the browser's download; the desktop application asks for the location. */
export function saveToDisk({ file, fileName }: RecoveryFile): void {
  saveAs(new Blob([file], { type: 'application/json' }), fileName);
}
