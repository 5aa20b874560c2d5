import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TABLES } from '#core';
import type { UniqueViolation } from '#core/database';
import { openSandboxLedger } from '#core/processing/gateways';
import { fromPostgres } from '../../../core/database/errors.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { filesOf } from '../../support/sources.ts';

/** Layout of tables that are not distributed by `tenant_id` on a distributed PostgreSQL, as docs/citus.md explains. */
const ELSEWHERE: Readonly<Record<string, 'by id' | 'reference' | 'local'>> = {
  tenants: 'by id',
  master_keys: 'reference',
  sandbox_installation: 'reference',
  short_links: 'reference',
  schema_migrations: 'local',
};
/** Lookups by callers whose tenant is not known yet: they query every shard, or a table that exists on all nodes. */
const ACROSS_TENANTS = [
  'api_keys_by_hash',
  'card_update_links_by_id',
  'company_sign_in_attempts_by_id',
  'customer_page_links_by_token',
  'invoices_by_page',
  'one_time_codes_by_id',
  'password_tokens_by_id',
  'sandbox_hosted_pages_by_token',
  'short_links_by_code',
  'signing_keys_by_id',
  'users_by_email',
];

interface Index {
  readonly table: string;
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

let opened: TestDatabase;
let client: Client;
beforeAll(async () => {
  opened = await openTestDatabase('postgres');
  // The ledger of the sandbox processor is stored beside our tables and moves with them.
  await (await openSandboxLedger({ url: opened.place })).close();
  client = new Client({ connectionString: opened.place });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await opened?.close();
});

const rows = async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[];

const tables = async () =>
  (
    await rows<{ table: string }>(
      `SELECT c.relname AS "table" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND n.nspname IN ('public', 'sandbox_gateway') ORDER BY 1`,
    )
  ).map(({ table }) => table);

const indexes = () =>
  rows<Index>(
    `SELECT t.relname AS "table", i.relname AS name, x.indisunique AS unique, array_agg(a.attname::text ORDER BY k.place) AS columns
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname IN ('public', 'sandbox_gateway')
     CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k(column_number, place)
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.column_number GROUP BY 1, 2, 3 ORDER BY 1, 2`,
  );

/** Foreign keys with different tenants on both sides. */
const badForeignKeys = () =>
  rows<{ name: string }>(
    `SELECT c.conname AS name FROM pg_constraint c WHERE c.contype = 'f' AND NOT EXISTS (
       SELECT 1 FROM unnest(c.conkey, c.confkey) AS pair(here, there)
       JOIN pg_attribute h ON h.attrelid = c.conrelid AND h.attnum = pair.here
       JOIN pg_attribute t ON t.attrelid = c.confrelid AND t.attnum = pair.there
       WHERE h.attname = 'tenant_id' AND t.attname IN ('tenant_id', CASE WHEN c.confrelid = 'tenants'::regclass THEN 'id' END))`,
  );

test('distributes every table by its tenant, or states the reason for an exception', async () => {
  const byTenant = new Set((await indexes()).filter(({ columns }) => columns[0] === 'tenant_id').map(({ table }) => table));
  const others = [...new Set(await tables())].filter((table) => !byTenant.has(table) || table in ELSEWHERE);
  expect(others).toEqual(Object.keys(ELSEWHERE).sort());
  expect(byTenant.size).toBeGreaterThan(40);
  const [{ text = '' } = {}] = filesOf('docs', ['citus.md']);
  for (const table of Object.keys(ELSEWHERE)) expect(text, table).toContain(`\`${table}\``);
  for (const index of ACROSS_TENANTS) expect(text, index).toContain(`\`${index}\``);
});

test('starts every primary key, unique index and list of a distributed table with the tenant', async () => {
  const all = (await indexes()).filter(({ table }) => !(table in ELSEWHERE));
  expect(all.filter(({ unique, columns }) => unique && columns[0] !== 'tenant_id')).toEqual([]);
  const across = (await indexes()).filter(
    ({ table, columns }) => columns[0] !== 'tenant_id' && !['tenants', 'master_keys', 'sandbox_installation'].includes(table),
  );
  expect(across.map(({ name }) => name).filter((name) => !name.startsWith('PK_'))).toEqual(ACROSS_TENANTS);
  const [tenants] = (await indexes()).filter(({ table, unique }) => table === 'tenants' && unique);
  expect(tenants?.columns).toEqual(['id']);
});

test('starts declared keys with the tenant', () => {
  for (const { name, key } of TABLES) {
    if (!(name in ELSEWHERE)) expect(key[0], name).toBe('tenant_id');
  }
});

test('names the tenant on both sides of a foreign key', async () => {
  expect(await badForeignKeys()).toEqual([]);
  // A key without the tenant is found.
  await client.query('BEGIN; CREATE UNIQUE INDEX refunds_alone ON refunds (id); CREATE TABLE stray (tenant_id text, refund_id text)');
  await client.query('ALTER TABLE stray ADD CONSTRAINT stray_refund FOREIGN KEY (refund_id) REFERENCES refunds (id)');
  await client.query('ALTER TABLE stray ADD CONSTRAINT stray_tenant FOREIGN KEY (tenant_id) REFERENCES tenants (id)');
  expect(await badForeignKeys()).toEqual([{ name: 'stray_refund' }]);
  await client.query('ROLLBACK');
});

test('finds the table of each violated primary key by the name that a shard reports', async () => {
  const keys = await rows<{ table: string; name: string }>(
    `SELECT c.relname AS "table", k.conname AS name FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'p' AND k.connamespace = 'public'::regnamespace AND c.relname <> 'schema_migrations'`,
  );
  const message = (name: string) => `duplicate key value violates unique constraint "${name}"`;
  const found = keys.map(({ table, name }) => ({
    table,
    // Citus reports a violation on another node with its message only, and one on its own node with the table of the shard.
    tables: [
      { code: '23505', message: message(`${name}_102216`) },
      { code: '23505', message: message(name), table: `${table}_102216` },
      { code: '23505', message: message(name), table },
    ].map((error) => (fromPostgres(error) as UniqueViolation).table),
  }));
  expect(found).toEqual(keys.map(({ table }) => ({ table, tables: [table, table, table] })));
  expect(keys.length).toBeGreaterThan(50);
});

test('uses no sequences and triggers, which shards do not share', async () => {
  const filled = await rows<{ table: string }>(
    `SELECT c.relname AS "table" FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid
     UNION ALL SELECT c.relname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid`,
  );
  expect([...new Set(filled.map(({ table }) => table))].filter((table) => table !== 'schema_migrations')).toEqual([]);
});
