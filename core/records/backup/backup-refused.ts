import { existsSync, statfsSync } from 'node:fs';
import { isDamage } from '#core/database/integrity';

/** A disk with less free space counts as full. */
const ROOM_MIN = 262_144;

/** Reason why a backup was refused. */
export type Refusal = 'not-a-backup' | 'damaged' | 'wrong-key' | 'too-new' | 'not-empty' | 'disk-full' | 'database-damaged' | 'failed';

/** Error of a backup that was not made or not restored, with a message for people. Nothing was overwritten. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

export const damaged = (detail: string) => new BackupRefused('damaged', `The backup is damaged: ${detail}.`);

export const wrongKey = () =>
  new BackupRefused(
    'wrong-key',
    'This key does not decrypt the backup. The backup belongs to another installation, or the key was exchanged since.',
  );

/** Returns the error of an operation in a folder with a message for people. Called before the partial file is removed. */
export function toBackupRefused(error: unknown, operation: string, folder: string): BackupRefused {
  if (error instanceof BackupRefused) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL' || (code?.startsWith('SQLITE_IOERR') && !hasRoom(folder));
  if (isFull)
    return new BackupRefused('disk-full', `${operation} stopped because the disk is full. No partial file was left in ${folder}.`, error);
  if (isDamage(error))
    return new BackupRefused(
      'database-damaged',
      `${operation} stopped because a database file is damaged. Start Paydesk: System, Status explains how to restore the data.`,
      error,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupRefused('failed', `${operation} stopped because the folder ${folder} is not writable.`, error);
  if (code === 'ENOENT')
    return new BackupRefused('failed', `${operation} stopped because the file or its folder ${folder} does not exist.`, error);
  return new BackupRefused('failed', `${operation} stopped: ${message}`, error);
}

/** SQLite reports an I/O error if there is no room for a file beside its own. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const { bavail, blocks, bsize } = statfsSync(folder);
  return blocks === 0 || bavail * bsize > ROOM_MIN;
}
