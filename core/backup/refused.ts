import { existsSync, statfsSync } from 'node:fs';
import { isDamage } from '#core/platform/integrity';

/** A disk with less free space counts as full. */
const ROOM_MIN = 262_144;

/** Reason why a backup was refused. */
export type Refusal = 'not-a-backup' | 'damaged' | 'wrong-key' | 'too-new' | 'not-empty' | 'disk-full' | 'database-damaged' | 'failed';

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

/** Translates an error of the operating system in a folder into a sentence. Called before the partial file is removed. */
export function inWords(error: unknown, doing: string, folder: string): BackupRefused {
  if (error instanceof BackupRefused) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL' || (code?.startsWith('SQLITE_IOERR') && !hasRoom(folder));
  if (isFull)
    return new BackupRefused('disk-full', `${doing} stopped because the disk is full. No partial file was left in ${folder}.`, error);
  if (isDamage(error))
    return new BackupRefused(
      'database-damaged',
      `${doing} stopped because a database file is damaged. Start Paydesk: System, Status explains how to restore the data.`,
      error,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupRefused('failed', `${doing} stopped because the folder ${folder} is not writable.`, error);
  if (code === 'ENOENT')
    return new BackupRefused('failed', `${doing} stopped because the file or its folder ${folder} does not exist.`, error);
  return new BackupRefused('failed', `${doing} stopped: ${message}`, error);
}

/** SQLite reports an I/O error if there is no room for a file beside its own. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const { bavail, blocks, bsize } = statfsSync(folder);
  return blocks === 0 || bavail * bsize > ROOM_MIN;
}
