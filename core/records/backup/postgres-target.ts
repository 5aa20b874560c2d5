import type pg from 'pg';
import { connectWritable } from '#core/database';
import { BackupRefused } from './backup-refused.ts';
import { copyInto, type Opened, type Target } from './lines.ts';
import { SCHEMA_OF } from './postgres-source.ts';
import { PARTS, type TableHead } from './rows.ts';
import { changesFor, migrateDatabase, type Schemas } from './schemas.ts';

const MIGRATIONS_TABLE = 'schema_migrations';
const COLUMN_TYPES = `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2`;
const OUR_TABLES = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 AND table_type = 'BASE TABLE'`;

async function tablesOf(client: pg.Client, schema: string): Promise<string[]> {
  return (await client.query<{ name: string }>(OUR_TABLES, [schema])).rows.map(({ name }) => name);
}

/**
 * Drops the empty tables of a server that was started on the database but never set up. @throws BackupRefused if a table contains rows or
 * does not belong
 * to Paydesk; nothing is dropped then.
 */
async function dropEmptyTables(client: pg.Client, knownTables: ReadonlySet<string>): Promise<void> {
  const refuse = () => new BackupRefused('not-empty', 'This database already contains data. Choose an empty one; nothing was overwritten.');
  await client.query('BEGIN');
  for (const part of PARTS) {
    const schema = SCHEMA_OF[part];
    const tables = await tablesOf(client, schema);
    if (tables.length > 0 && !tables.includes(MIGRATIONS_TABLE)) throw refuse();
    for (const table of tables) {
      if (table === MIGRATIONS_TABLE) continue;
      if (!knownTables.has(table)) throw refuse();
      // Rows that a server writes about itself before it is set up are not an installation.
      if (table !== 'tenants' && !(await columnsOf(client, schema, table)).has('tenant_id')) continue;
      const { rows } = await client.query(`SELECT 1 FROM "${schema}"."${table}" LIMIT 1`);
      if (rows.length > 0) throw refuse();
    }
  }
  for (const part of PARTS)
    for (const table of await tablesOf(client, SCHEMA_OF[part])) await client.query(`DROP TABLE "${SCHEMA_OF[part]}"."${table}"`);
  await client.query('COMMIT');
}

async function columnsOf(client: pg.Client, schema: string, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(COLUMN_TYPES, [schema, table]);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

async function insertFor(client: pg.Client, { part, table, columns }: TableHead): Promise<string> {
  const types = await columnsOf(client, SCHEMA_OF[part], table);
  const values = columns.map((column, at) => `CAST(row ->> ${at} AS ${types.get(column) === 'bigint' ? 'bigint' : 'text'})`);
  const names = columns.map((column) => `"${column}"`).join(', ');
  return `INSERT INTO "${SCHEMA_OF[part]}"."${table}" (${names}) SELECT ${values.join(', ')} FROM json_array_elements(CAST($1 AS json)) AS rows(row)`;
}

/**
 * Fills an empty database with a backup in one transaction, and migrates it to the present schema. `afterRows` is called at the end of that
 * transaction.
 * @throws BackupRefused if the database is not empty.
 */
export async function fillDatabase(
  url: string,
  opened: Opened,
  schemas: Schemas,
  knownTables: ReadonlySet<string>,
  afterRows: (run: (sql: string) => Promise<unknown>) => Promise<void>,
): Promise<number> {
  const changes = changesFor(schemas, opened.manifest.migrations);
  const client = await connectWritable(url);
  try {
    await client.query('SET statement_timeout = 0');
    await dropEmptyTables(client, knownTables);
    for (const part of PARTS) await migrateDatabase(url, part, changes[part]);
    let insert = '';
    const target: Target = {
      async begin(head) {
        insert = await insertFor(client, head);
      },
      rows: async (rows) => void (await client.query(insert, [`[${rows.join(',')}]`])),
    };
    const run = (sql: string) => client.query(sql);
    await run('BEGIN');
    const rows = await copyInto(target, opened);
    const { rows: restoresTable } = await client.query<{ isThere: boolean }>(
      `SELECT to_regclass('public.restores') IS NOT NULL AS "isThere"`,
    );
    const hasRestores = restoresTable[0]?.isThere === true;
    if (hasRestores) await afterRows(run);
    await run('COMMIT');
    for (const part of PARTS) await migrateDatabase(url, part, schemas[part]);
    // A backup of a version without the table of restores gets it only with the migration.
    if (!hasRestores) await afterRows(run);
    // Without statistics, PostgreSQL reads whole tables for updates, until its autovacuum has seen them.
    await run('ANALYZE');
    return rows;
  } finally {
    await client.end();
  }
}
