import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { afterAll, expect, test } from 'vitest';
import { type Database, isOutdated, type Migration, NewerSchema, OlderServersRunning, openPostgres, openSqlite } from '#core/database';
import { MIGRATIONS } from '#migrations';
import { openTestDatabase } from '../../support/databases.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { FULL } from '../../support/tier.ts';

/** The change of the next version. */
class Later9999999999999 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(new Table({ name: 'later', columns: [{ name: 'tenant_id', type: 'text', isPrimary: true }] }));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('later');
  }
}

const NEXT: readonly Migration[] = [...MIGRATIONS, { name: 'Later9999999999999', load: async () => Later9999999999999 }];

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

async function emptyPostgres() {
  const fresh = await freshDatabase();
  undo.push(fresh.drop);
  const open = async (migrations: readonly Migration[]): Promise<Database> => {
    const database = await openPostgres({ url: fresh.url, migrations });
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= database.close();
      return closed;
    };
    undo.push(close);
    return { ...database, close };
  };
  const ask = async <Row>(sql: string): Promise<Row[]> => {
    const client = new Client({ connectionString: fresh.url });
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows as Row[];
  };
  return { open, ask };
}

const changesSql = 'SELECT name FROM schema_migrations ORDER BY name';

const cutOff = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

test('announces the migration of an existing file with its size, and neither a new file nor a current schema (sqlite)', async () => {
  const { database, place, close } = await openTestDatabase('sqlite');
  await database.close();
  const announced: [file: string, bytes: number][] = [];
  const onMigration = async (file: string, bytes: number) => void announced.push([file, bytes]);
  const open = async (file: string, migrations: readonly Migration[]) => {
    await (await openSqlite({ file, migrations, onMigration })).close();
  };
  await open(`${place}.new`, MIGRATIONS);
  await open(place, MIGRATIONS);
  expect(announced).toEqual([]);
  await open(place, NEXT);
  expect(announced).toEqual([[place, expect.any(Number)]]);
  expect(announced[0]?.[1]).toBeGreaterThan(100_000);
  await close();
});

test('refuses an older program on a newer schema with an explanation and changes nothing (sqlite)', async () => {
  const { database, place, close } = await openTestDatabase('sqlite');
  await database.close();
  const handle = new BetterSqlite3(place);
  handle.exec("INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')");
  const before = handle.prepare(changesSql).all();
  handle.close();
  await expect(openSqlite({ file: place, migrations: MIGRATIONS })).rejects.toThrow(/^A newer version of Paydesk/);
  const after = new BetterSqlite3(place, { readonly: true });
  expect(after.prepare(changesSql).all()).toEqual(before);
  after.close();
  await close();
});

test('refuses data of a development version with an explanation and changes nothing', async () => {
  const { database, place, close } = await openTestDatabase('sqlite');
  await database.close();
  const handle = new BetterSqlite3(place);
  handle.exec('DELETE FROM schema_migrations');
  handle.exec("INSERT INTO schema_migrations (timestamp, name) VALUES (1763600000000, 'Payments1763600000000')");
  handle.close();
  await expect(openSqlite({ file: place, migrations: MIGRATIONS })).rejects.toThrow(/^A development version of Paydesk/);
  const after = new BetterSqlite3(place, { readonly: true });
  expect(after.prepare(changesSql).pluck().all()).toEqual(['Payments1763600000000']);
  after.close();
  await close();
});

test('refuses an older program on a newer schema with an explanation and changes nothing (postgres)', FULL, async () => {
  const { open, ask } = await emptyPostgres();
  await (await open(NEXT)).close();
  const before = await ask(changesSql);
  await expect(open(MIGRATIONS)).rejects.toThrow(NewerSchema);
  expect(await ask(changesSql)).toEqual(before);
});

test('does not migrate the schema while workstations use the older one', FULL, async () => {
  const { open, ask } = await emptyPostgres();
  const older = await open(MIGRATIONS);
  const unlisten = older.signals.subscribe(
    () => {},
    () => {},
  );
  await expect(open(NEXT)).rejects.toThrow(OlderServersRunning);
  expect(await ask("SELECT to_regclass('later')::text AS made")).toEqual([{ made: null }]);
  await older.ping();
  unlisten();
  await older.close();
  await (await open(NEXT)).ping();
  expect(await ask("SELECT to_regclass('later')::text AS made")).toEqual([{ made: 'later' }]);
});

test('refuses a workstation that was disconnected during a migration', FULL, async () => {
  const { open, ask } = await emptyPostgres();
  const older = await open(MIGRATIONS);
  await ask(cutOff);
  await (await open(NEXT)).ping();
  for (let look = 0; look < 2; look += 1) {
    const refused = await older.ping().catch((error: unknown) => error);
    expect(isOutdated(refused), String(refused)).toBe(true);
  }
  const write = older.unitOfWork.transaction(null, (work) => work.run("UPDATE tenants SET name = 'x' WHERE id = 'y'"));
  await expect(write).rejects.toSatisfy(isOutdated);
});

test('creates the schema once when several programs start on an empty database', async () => {
  const { open, ask } = await emptyPostgres();
  const opened = await Promise.all([open(NEXT), open(NEXT), open(NEXT)]);
  for (const database of opened) await database.ping();
  expect(await ask(changesSql)).toHaveLength(NEXT.length);
});
