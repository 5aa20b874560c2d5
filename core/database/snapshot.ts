import BetterSqlite3 from 'better-sqlite3';
import { connectReading } from './connections/index.ts';

/** A database as it was when it was opened, which is only read. */
export interface Snapshot {
  all<Row>(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** Opens a PostgreSQL database, or the file of a SQLite database, without an effect on servers that use it. @throws Error if there is none. */
export async function openSnapshot(source: { readonly url: string } | { readonly file: string }): Promise<Snapshot> {
  if ('file' in source) {
    const handle = new BetterSqlite3(source.file, { readonly: true, fileMustExist: true });
    handle.exec('BEGIN');
    return { all: async <Row>(sql: string) => handle.prepare(sql).all() as Row[], close: async () => void handle.close() };
  }
  const client = await connectReading(source.url);
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return { all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[], close: () => client.end() };
}
