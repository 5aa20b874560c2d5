import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/** Another server has the data directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

/**
 * Takes a data directory for this process alone and answers how to give it back. The lock is SQLite's on an empty database, so the operating
 * system frees it however the process ends.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const lock = new BetterSqlite3(join(directory, 'in-use.lock'), { timeout: 0 });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DirectoryInUse(
      `Another Paydesk server is using the data directory ${directory}. Stop it first, or choose another with --data-dir.`,
      { cause },
    );
  }
  return () => lock.close();
}
