/** Why a backup is not taken. */
export type Refusal = 'not-a-backup' | 'damaged' | 'wrong-key' | 'too-new' | 'not-empty' | 'disk-full' | 'failed';

/** A backup that is not made or not restored, in words for a person. Nothing was overwritten. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

export const damaged = (how: string) => new BackupRefused('damaged', `The backup is damaged: ${how}.`);

export const keyOfAnother = () =>
  new BackupRefused(
    'wrong-key',
    'This key does not open the backup: it belongs to another installation, or to a key that was exchanged since.',
  );

/** What the operating system said, in words. */
export function inWords(error: unknown, doing: string): BackupRefused {
  if (error instanceof BackupRefused) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return new BackupRefused('disk-full', `${doing} stopped, because the disk is full. Nothing of it was left behind.`, error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupRefused('failed', `${doing} stopped, because the folder cannot be written.`, error);
  if (code === 'ENOENT') return new BackupRefused('failed', `${doing} stopped, because the file or its folder is not there.`, error);
  return new BackupRefused('failed', `${doing} stopped: ${message}`, error);
}
