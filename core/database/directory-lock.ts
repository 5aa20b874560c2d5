import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isSqliteBusy } from './errors.ts';
import { isDamage } from './integrity/index.ts';

/** Thrown when another server uses the data directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

/** Thrown when the data directory is read-only, full, or owned by another user. */
class DirectoryNotWritable extends Error {
  override name = 'DirectoryNotWritable';
}

/** A data directory that this process has locked. */
export interface DirectoryLock {
  release(): void;
  /** Releases the lock after a failure, and deletes its file and the empty folders if the lock created them. */
  undo(): void;
}

/**
 * Locks a data directory for this process, and creates the directory if it is missing. It is a SQLite lock on an empty database, so the operating
 * system releases it however the process ends. @throws DirectoryInUse, DirectoryNotWritable.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = join(directory, 'in-use.lock');
  let lock: BetterSqlite3.Database | undefined;
  let created: string | undefined;
  try {
    created = mkdirSync(directory, { recursive: true, mode: 0o700 });
    const isNew = !existsSync(file);
    const openLock = new BetterSqlite3(file, { timeout: 0 });
    lock = openLock;
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
    // A process that failed has deleted the file in the meantime, and another one may lock a new file.
    if (!existsSync(file)) throw new DirectoryInUse(inUse(directory));
    return {
      release: () => void openLock.close(),
      undo() {
        // Deleted under the lock, so that no other process holds it. Windows deletes closed files only.
        if (isNew && process.platform !== 'win32') rmSync(file, { force: true });
        openLock.close();
        if (isNew && process.platform === 'win32') rmSync(file, { force: true });
        if (created !== undefined) removeEmptyFolders(directory, created);
      },
    };
  } catch (cause) {
    lock?.close();
    if (created !== undefined) removeEmptyFolders(directory, created);
    if (cause instanceof DirectoryInUse) throw cause;
    if (isSqliteBusy(cause)) throw new DirectoryInUse(inUse(directory), { cause });
    throw new DirectoryNotWritable(
      `The data directory ${directory} cannot be written${reasonOf(cause)}. Make it writable or make room, or choose another with --data-dir.`,
      { cause },
    );
  }
}

const inUse = (directory: string) =>
  `Another Paydesk server is using the data directory ${directory}. Stop it first, or choose another with --data-dir.`;

/** Deletes a folder and those above it up to `top`, as far as they are empty. */
function removeEmptyFolders(directory: string, top: string): void {
  try {
    for (let folder = resolve(directory); folder.length >= resolve(top).length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // A folder with other files stays.
  }
}

/** Returns the reason as the operating system states it. SQLite's own texts appear only in the log. */
function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (isDamage(cause)) return ' (its file in-use.lock is damaged: delete this file)';
  return code?.startsWith('SQLITE_') ? '' : `: ${message}`;
}
