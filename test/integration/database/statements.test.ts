import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { checkIntegrity } from '../../../core/books/reporting/integrity-check.ts';
import { bulkMany, guardedMany } from '../../../core/database/postgres-bulk.ts';
import { type BulkShape, bulkSql, type GuardedShape, guardedSql, type Params } from '../../../core/database/statements.ts';
import { openTestDatabase } from '../../support/databases.ts';

const CORE = join(import.meta.dirname, '../../../core');

const files = readdirSync(CORE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const modules = await Promise.all(files.map((name) => import(join(CORE, name)) as Promise<Record<string, unknown>>));
const exported = modules.flatMap((each) => Object.values(each));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const guarded = new Set(exported.filter((value) => isObject(value) && 'guard' in value && 'set' in value)) as Set<GuardedShape>;
const sets = new Set(exported.filter((value) => isObject(value) && String(value.sql).includes('{rows}'))) as Set<BulkShape>;

/** Statements that are written as text: a column that was renamed is found here, where the compiler does not see it. */
describe('statements for many rows', () => {
  test('finds all statements for many rows', () => {
    expect(guarded.size).toBeGreaterThan(10);
    expect(sets.size).toBeGreaterThan(1);
  });

  test('prepares every statement on SQLite', async () => {
    const { place, close } = await openTestDatabase('sqlite');
    const connection = new BetterSqlite3(place, { readonly: true });
    for (const update of guarded) connection.prepare(guardedSql(update));
    for (const set of sets) connection.prepare(bulkSql(set));
    connection.close();
    await close();
  });

  test('prepares every statement on PostgreSQL', async () => {
    const { place, close } = await openTestDatabase('postgres');
    const client = new Client({ connectionString: place });
    await client.connect();
    const rowOf = (columns: readonly string[], tenant_id: string): Params => ({
      ...Object.fromEntries(columns.map((column) => [column, null])),
      tenant_id,
    });
    // One row, rows of one tenant, and rows of several tenants have statements of their own.
    for (const tenants of [['a'], ['a', 'a'], ['a', 'b']]) {
      const rows = (columns: readonly string[]) => tenants.map((tenantId) => rowOf(columns, tenantId));
      const calls = [
        ...[...guarded].map((update) => guardedMany(update, rows([...update.where, ...update.set]))),
        ...[...sets].map((set) => bulkMany(set, rows(Object.keys(set.columns)))),
      ];
      for (const [n, { text }] of calls.entries()) await client.query(`PREPARE statement_${tenants.join('')}_${n} AS ${text}`);
    }
    await client.end();
    await close();
  });
});

test.each(['sqlite', 'postgres'] as const)('runs every comparison of the integrity check (%s)', async (kind) => {
  const { database, close } = await openTestDatabase(kind);
  expect(await checkIntegrity(database.readAcrossTenants())).toEqual([]);
  await close();
});
