import BetterSqlite3 from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../support/databases.ts';
import { ENTITIES } from '../../support/entities.ts';

const COLUMNS = `SELECT t.name AS "table", c.name AS "column", c.type, c."notnull", c.pk FROM sqlite_master t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND t.name NOT IN ('schema_migrations', 'sqlite_sequence') ORDER BY 1, 2`;
const INDEXES = `SELECT t.name AS "table", i."unique", i.partial, group_concat(c.name) AS columns FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
  WHERE t.type = 'table' AND t.name <> 'schema_migrations' GROUP BY t.name, i.name ORDER BY 1, 4`;

/** Returns the schema that TypeORM creates from the declarations alone. */
async function declared(): Promise<DataSource> {
  const source = new DataSource({
    type: 'better-sqlite3',
    driver: BetterSqlite3,
    database: ':memory:',
    entities: ENTITIES,
    synchronize: true,
  });
  return source.initialize();
}

test('migrates to the declared schema (sqlite)', async () => {
  const { place, close } = await openTestDatabase('sqlite');
  const migrated = new BetterSqlite3(place, { readonly: true });
  const source = await declared();
  for (const sql of [COLUMNS, INDEXES]) {
    const made = migrated.prepare(sql).all();
    expect(made.length).toBeGreaterThan(10);
    expect(made).toEqual(await source.query(sql));
  }
  await source.destroy();
  migrated.close();
  await close();
});

test('migrates to the declared schema (postgres)', async () => {
  const { place, close } = await openTestDatabase('postgres');
  const source = new DataSource({
    type: 'postgres',
    url: place,
    installExtensions: false,
    entities: ENTITIES,
    migrationsTableName: 'schema_migrations',
  });
  await source.initialize();
  const { upQueries } = await source.driver.createSchemaBuilder().log();
  // TypeORM would rename constraints and drop the checks, which it does not know; it finds no column or index to change.
  expect(upQueries.map(({ query }) => query).filter((query) => !query.includes('CONSTRAINT'))).toEqual([]);
  await source.destroy();
  await close();
});

test('reads lists through their indexes', async () => {
  const { database, place, close } = await openTestDatabase('sqlite');
  const connection = new BetterSqlite3(place, { readonly: true });
  const plan = (sql: string) =>
    (connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(({ detail }) => detail).join('; ');
  const newest = 'ORDER BY id DESC LIMIT 50';
  expect(plan(`SELECT * FROM transactions WHERE tenant_id = 't' ${newest}`)).toMatch(/SEARCH transactions USING INDEX sqlite_autoindex/);
  expect(plan(`SELECT * FROM transactions WHERE tenant_id = 't' AND status = 'approved' ${newest}`)).toContain('transactions_by_status');
  expect(plan(`SELECT * FROM transactions WHERE tenant_id = 't' AND last4 = '1111' ${newest}`)).toContain('transactions_by_last4');
  expect(plan(`SELECT * FROM transactions WHERE tenant_id = 't' AND order_key = 'a' ${newest}`)).toContain('transactions_by_order');
  expect(plan(`SELECT * FROM attempts WHERE due_ms IS NOT NULL AND due_ms <= 5 ORDER BY due_ms`)).toContain('attempts_due');
  const messages = "SELECT * FROM messages WHERE tenant_id = 't'";
  expect(plan(`${messages} AND merchant_id = 'm' ${newest}`)).toContain('messages_by_merchant');
  expect(plan(`${messages} AND channel = 'sms' AND due_ms IS NOT NULL AND due_ms <= 5 ORDER BY due_ms, id LIMIT 5`)).toMatch(
    /messages_due \(tenant_id=\? AND channel=\? AND due_ms/,
  );
  expect(plan(`${messages} AND due_ms IS NOT NULL AND due_ms <= 5 ORDER BY due_ms, id LIMIT 1`)).toContain('messages_of_tenant_due');
  expect(plan("SELECT * FROM one_time_codes WHERE id = 'otp'")).toContain('one_time_codes_by_id');
  for (const sql of [
    `SELECT * FROM transactions WHERE tenant_id = 't' ${newest}`,
    `SELECT * FROM refunds WHERE tenant_id = 't' AND status = 'approved' ${newest}`,
    `${messages} AND merchant_id = 'm' ${newest}`,
  ]) {
    expect(plan(sql)).not.toContain('TEMP B-TREE');
  }
  connection.close();
  await database.ping();
  await close();
});
