import BetterSqlite3 from 'better-sqlite3';
import { isDamage } from './sqlite-errors.ts';

/** A fault that an integrity check found in a file. */
export interface FileFault {
  readonly file: string;
  /** SQLite's description, for the log. */
  readonly detail: string;
}

const BUSY_TIMEOUT_MS = 5_000;
/** Faults that are reported for each table. */
const FAULTS_MAX = 5;

/** Loads the native module of SQLite, which otherwise happens when a thread opens its first database. */
export function loadSqlite(): void {
  new BetterSqlite3(':memory:').close();
}

/** Returns SQLite's description of the first fault in the structure of a file, or null. Indexes are not compared with their tables. */
export function quickCheck(handle: BetterSqlite3.Database): string | null {
  const verdict = String(handle.pragma('quick_check(1)', { simple: true }));
  return verdict === 'ok' ? null : verdict;
}

/** Returns the first fault in the structure of a file, read on a connection of its own; an empty list without one. */
export function findStructureFault(file: string): FileFault[] {
  return findIn(file, (handle) => {
    const fault = quickCheck(handle);
    return fault === null ? [] : [fault];
  });
}

/**
 * Reads every table and index of a file on a read-only connection and compares them. Each table has its own read transaction, so that the
 * write-ahead log can be emptied in between.
 */
export function findFaults(file: string): FileFault[] {
  return findIn(file, function* (handle) {
    // The free list is verified together with the schema table alone.
    const tables = handle.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
    const check = handle.prepare(`SELECT * FROM pragma_integrity_check(?) LIMIT ${FAULTS_MAX}`).pluck();
    for (const table of ['sqlite_schema', ...tables])
      for (const verdict of check.all(table) as string[]) if (verdict !== 'ok') yield `${table}: ${verdict}`;
  });
}

/** Returns the faults that a check finds in a file. Damage that prevents the check is the last of them. */
function findIn(file: string, check: (handle: BetterSqlite3.Database) => Iterable<string>): FileFault[] {
  const details: string[] = [];
  let handle: BetterSqlite3.Database | undefined;
  try {
    handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    for (const detail of check(handle)) details.push(detail);
  } catch (error) {
    if (!isDamage(error)) throw error;
    details.push((error as Error).message);
  } finally {
    handle?.close();
  }
  return details.map((detail) => ({ file, detail }));
}
