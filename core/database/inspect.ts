import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { Integrity, startError } from './integrity/index.ts';

/**
 * Inspects a SQLite file on a read-only connection before it is used. Returns null if there is no file. @throws DamagedDatabase if the file
 * is damaged.
 */
export async function inspectSqlite<Result>(
  file: string,
  inspect: (all: <Row>(sql: string) => Promise<Row[]>) => Promise<Result>,
  integrity = new Integrity(),
): Promise<Result | null> {
  if (!existsSync(file)) return null;
  let handle: BetterSqlite3.Database | undefined;
  try {
    if (existsSync(`${file}-journal`)) rollBack(file);
    const opened = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    handle = opened;
    return await inspect(async <Row>(sql: string) => opened.prepare(sql).all() as Row[]);
  } catch (error) {
    throw startError(error, file, integrity);
  } finally {
    handle?.close();
  }
}

/** Rolls back what a process was writing when it was killed before the file had a write-ahead log. A read-only connection cannot do it. */
function rollBack(file: string): void {
  const handle = new BetterSqlite3(file, { fileMustExist: true });
  handle.prepare('SELECT count(*) FROM sqlite_schema').get();
  handle.close();
}
