import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTITIES } from '#core';
import { type Database, openPostgres, openSqlite } from '#core/database';
import type { MIGRATIONS } from '#migrations';
import { freshDatabase } from './postgres.ts';

/** Returns a database that is opened as it was before a migration, and again after it. */
export async function stepOf(kind: 'sqlite' | 'postgres') {
  if (kind === 'postgres') {
    const fresh = await freshDatabase();
    return {
      open: (migrations: typeof MIGRATIONS) => openPostgres({ url: fresh.url, migrations }),
      drop: () => fresh.drop(),
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-step-'));
  const file = join(folder, 'paydesk.sqlite');
  return {
    open: (migrations: typeof MIGRATIONS) => openSqlite({ file, migrations }),
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Inserts a row with the given columns; the other required columns get a value of their type, and columns of later migrations are left out. */
export async function insertInto(database: Database, table: string, row: Record<string, string | number | null>): Promise<void> {
  const entity = ENTITIES.find(({ options }) => options.name === table);
  const existing = new Set((await columnsIn(database, table)).map(({ name }) => name));
  const columns = Object.entries(entity?.options.columns ?? {}).filter(
    ([name, column]) => existing.has(name) && (name in row || !column?.nullable),
  );
  const value = (name: string, column: { type: unknown } | undefined) => (name in row ? row[name] : column?.type === 'bigint' ? 0 : 'x');
  const literal = (cell: string | number | null | undefined) =>
    cell === null || cell === undefined ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell}'`;
  const names = columns.map(([name]) => name).join(', ');
  const values = columns.map(([name, column]) => literal(value(name, column as { type: unknown; nullable?: boolean }))).join(', ');
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
