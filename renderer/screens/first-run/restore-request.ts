import { api, takeData } from '#renderer/base/client';

/** Backup to restore, and the key that opens it. */
interface RestoreInput {
  readonly backup: File;
  readonly key: File;
  readonly passphrase: string;
  readonly databaseUrl: string;
}

/** Uploads a backup with its key. Resolves with its contents once it is restored. */
export function restoreBackup({ backup, key, passphrase, databaseUrl }: RestoreInput) {
  const form = new FormData();
  form.set('key', key);
  if (passphrase !== '') form.set('passphrase', passphrase);
  if (databaseUrl.trim() !== '') form.set('databaseUrl', databaseUrl.trim());
  form.set('backup', backup);
  return takeData(api.POST('/api/v1/setup/restore', { body: { backup: backup.name, key: key.name }, bodySerializer: () => form }));
}

export type RestoreFindings = Awaited<ReturnType<typeof restoreBackup>>;
