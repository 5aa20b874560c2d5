import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLES } from '#core';
import { type Database, type Migration, openPostgres, openSqlite, type TableShape } from '#core/database';
import { freshDatabase } from './postgres.ts';

/** Returns a database that is opened as it was before a migration, and again after it. */
export async function stepOf(kind: 'sqlite' | 'postgres') {
  if (kind === 'postgres') {
    const fresh = await freshDatabase();
    return {
      open: (migrations: readonly Migration[]) => openPostgres({ url: fresh.url, migrations }),
      drop: () => fresh.drop(),
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-step-'));
  const file = join(folder, 'paydesk.sqlite');
  return {
    open: (migrations: readonly Migration[]) => openSqlite({ file, migrations }),
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Inserts a row with the given columns; the other required columns get a value of their type, and columns of later migrations are left out. */
export async function insertInto(database: Database, table: string, row: Record<string, string | number | null>): Promise<void> {
  const declared: TableShape | undefined = TABLES.find(({ name }) => name === table);
  const existing = new Set((await columnsIn(database, table)).map(({ name }) => name));
  const columns = (declared?.columns ?? []).filter((name) => existing.has(name) && (name in row || !(name in (declared?.blank ?? {}))));
  const value = (name: string) => (name in row ? row[name] : declared?.types[name] === 'integer' ? 0 : 'x');
  const literal = (cell: string | number | null | undefined) =>
    cell === null || cell === undefined ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell}'`;
  const names = columns.join(', ');
  const values = columns.map((name) => literal(value(name))).join(', ');
  await database.unitOfWork.transaction(null, (work) => work.run(`INSERT INTO ${table} (${names}) VALUES (${values})`));
}

const columnsIn = (database: Database, table: string) =>
  database
    .readAcrossTenants()
    .all<{ name: string }>(
      database.kind === 'sqlite'
        ? `SELECT name FROM pragma_table_info('${table}')`
        : `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${table}'`,
    );
