import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isDamage } from '#core/platform/integrity';
import { isSqliteBusy } from './errors.ts';

/** Thrown when another server uses the data directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

/** Thrown when the data directory is read-only, full, or owned by another user. */
export class DirectoryNotWritable extends Error {
  override name = 'DirectoryNotWritable';
}

/**
 * Locks a data directory for this process and returns a function that unlocks it. It is a SQLite lock on an empty database, so the operating
 * system releases it however the process ends.
 */
export function lockDirectory(directory: string): () => void {
  let lock: BetterSqlite3.Database | undefined;
  try {
    mkdirSync(directory, { recursive: true });
    lock = new BetterSqlite3(join(directory, 'in-use.lock'), { timeout: 0 });
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
    const openLock = lock;
    return () => openLock.close();
  } catch (cause) {
    lock?.close();
    if (isSqliteBusy(cause)) {
      throw new DirectoryInUse(
        `Another Paydesk server is using the data directory ${directory}. Stop it first, or choose another with --data-dir.`,
        { cause },
      );
    }
    throw new DirectoryNotWritable(
      `The data directory ${directory} cannot be written${reasonOf(cause)}. Make it writable or make room, or choose another with --data-dir.`,
      { cause },
    );
  }
}

/** Returns the reason as the operating system states it. SQLite's own texts appear only in the log. */
function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (isDamage(cause)) return ' (its file in-use.lock is damaged: delete this file)';
  return code?.startsWith('SQLITE_') ? '' : `: ${message}`;
}
