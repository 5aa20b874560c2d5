import { api, takeData } from '#renderer/client';

/** What is brought back, and the key that opens it. */
interface RestoreInput {
  readonly backup: File;
  readonly key: File;
  readonly passphrase: string;
  readonly databaseUrl: string;
}

/** Sends a backup with its key; answers what was found once all of it is in its place. */
export function restoreBackup({ backup, key, passphrase, databaseUrl }: RestoreInput) {
  const form = new FormData();
  form.set('key', key);
  if (passphrase !== '') form.set('passphrase', passphrase);
  if (databaseUrl.trim() !== '') form.set('databaseUrl', databaseUrl.trim());
  form.set('backup', backup);
  return takeData(api.POST('/api/v1/setup/restore', { body: { backup: backup.name, key: key.name }, bodySerializer: () => form }));
}

export type RestoreFindings = Awaited<ReturnType<typeof restoreBackup>>;
