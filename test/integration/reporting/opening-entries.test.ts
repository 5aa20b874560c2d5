import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { expect, test } from 'vitest';
import { checkIntegrity } from '#core/reporting';
import { MIGRATIONS } from '#migrations';
import { startTestServer } from '../../support/server.ts';

const LEDGER = 1_763_600_000_010;

test('enters earlier payments into ledger and counters so that the integrity check passes', async () => {
  const { dataDir, server, stop } = await startTestServer('sqlite');
  await server.close();
  const file = join(dataDir, 'paydesk.sqlite');
  const migrations = await Promise.all(MIGRATIONS.map((migration) => migration.load()));
  const source = await new DataSource({
    type: 'better-sqlite3',
    driver: BetterSqlite3,
    database: file,
    migrations,
    migrationsTableName: 'schema_migrations',
  }).initialize();
  const sums = async () => {
    const rows = await source.query('SELECT fact, measure, sum(n) AS n FROM transaction_facts GROUP BY 1, 2 ORDER BY 1, 2');
    // At that time nothing was settled, and amounts had no parts.
    return (rows as { fact: string; measure: string }[]).filter(
      ({ fact, measure }) => !['fee', 'person_tip'].includes(fact) && !['fees', 'tip', 'surcharge', 'tax'].includes(measure),
    );
  };
  const totals = () =>
    source.query("SELECT * FROM transaction_counts WHERE day = '' ORDER BY merchant_id, status, type, method") as Promise<object[]>;
  const before = await sums();
  const listed = await totals();
  expect(listed.length).toBeGreaterThan(3);
  expect(before.length).toBeGreaterThan(10);
  const newer = MIGRATIONS.filter(({ name }) => Number(name.slice(-13)) >= LEDGER).length;
  for (let undone = 0; undone < newer; undone += 1) await source.undoLastMigration();
  await source.query('UPDATE transactions SET settled_at = NULL, settlement_date = NULL, settlement_id = NULL');
  await source.query('UPDATE refunds SET settled_at = NULL');
  await source.runMigrations();
  const differences = await checkIntegrity({ all: <Row>(sql: string) => source.query(sql) as Promise<Row[]> });
  const after = await sums();
  const listedAfter = await totals();
  await source.destroy();
  await stop();
  expect(differences).toEqual([]);
  expect(listedAfter).toEqual(listed);
  // A canceled capture left no trace except the voided payment.
  const kept = (rows: typeof before) => rows.filter(({ fact }) => !fact.startsWith('capture'));
  expect(kept(after)).toEqual(kept(before));
});
