import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

/** Looks at a SQLite file as it is, on a connection that cannot write, before it is used for anything; null where there is no file yet. */
export async function inspectSqlite<Result>(
  file: string,
  look: (all: <Row>(sql: string) => Promise<Row[]>) => Promise<Result>,
): Promise<Result | null> {
  if (!existsSync(file)) return null;
  const handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    return await look(async <Row>(sql: string) => handle.prepare(sql).all() as Row[]);
  } finally {
    handle.close();
  }
}
