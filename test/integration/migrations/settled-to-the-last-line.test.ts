import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENTITIES } from '#core';
import { type Database, openPostgres, openSqlite } from '#core/database';
import { MIGRATIONS } from '#migrations';
import { freshDatabase } from '../../support/postgres.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('SettledToTheLastLine'));
const OLD = MIGRATIONS.slice(0, AT);
const NEW = MIGRATIONS.slice(0, AT + 1);

/** Opens one and the same database twice: as it was before the step, and after it. */
async function place(kind: 'sqlite' | 'postgres') {
  if (kind === 'postgres') {
    const fresh = await freshDatabase();
    return {
      open: (migrations: typeof MIGRATIONS) => openPostgres({ url: fresh.url, entities: ENTITIES, migrations }),
      drop: () => fresh.drop(),
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-step-'));
  const file = join(folder, 'paydesk.sqlite');
  return {
    open: (migrations: typeof MIGRATIONS) => openSqlite({ file, entities: ENTITIES, migrations }),
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Fills the columns that are named and those that must be filled, by their type: some of the others are younger than this schema. */
async function insert(database: Database, table: string, row: Record<string, string | number | null>): Promise<void> {
  const entity = ENTITIES.find(({ options }) => options.name === table);
  const columns = Object.entries(entity?.options.columns ?? {}).filter(([name, column]) => name in row || !column?.nullable);
  const value = (name: string, column: { type: unknown } | undefined) => (name in row ? row[name] : column?.type === 'bigint' ? 0 : 'x');
  const literal = (of: string | number | null | undefined) =>
    of === null || of === undefined ? 'NULL' : typeof of === 'number' ? String(of) : `'${of}'`;
  const names = columns.map(([name]) => name).join(', ');
  const values = columns.map(([name, column]) => literal(value(name, column as { type: unknown; nullable?: boolean }))).join(', ');
  await database.unitOfWork.run(null, (work) => work.run(`INSERT INTO ${table} (${names}) VALUES (${values})`));
}

test.for(['sqlite', 'postgres'] as const)(
  'what was opened stands on its merchant’s day, and what is unsettled is counted (%s)',
  async (kind) => {
    const { open, drop } = await place(kind);
    const old = await open(OLD);
    const own = { tenant_id: 'ten_1', merchant_id: 'mer_1', currency: 'USD' };
    const merchant = { tenant_id: 'ten_1', id: 'mer_1', currency: 'USD', timezone: 'America/New_York' };
    await insert(old, 'merchants', merchant);
    // Nine in the evening of the second in New York, of which Greenwich says the third; and noon of the third.
    const sales = [
      ['txn_1', '2026-03-03T02:00:00.000Z', 500],
      ['txn_2', '2026-03-03T17:00:00.000Z', 700],
    ] as const;
    for (const [id, at, amount] of sales) {
      const paid = {
        captured_minor: amount,
        amount_minor: amount,
        captured_at: at,
        status: 'approved',
        type: 'sale',
        method: 'card',
        card_brand: 'visa',
      };
      await insert(old, 'transactions', { ...own, id, ...paid, source: 'keyed', day: '2026-03-02', created_at: at, updated_at: at });
      const moved = {
        kind: 'capture',
        debit: 'processor',
        credit: 'unsettled',
        amount_minor: amount,
        subject_id: id,
        day: '2026-03-03',
        at,
      };
      await insert(old, 'ledger_transfers', { ...own, id: `opening/${id}`, ...moved });
    }
    for (const [measure, n] of [
      ['count', 2],
      ['amount', 1_200],
    ] as const) {
      const of = { fact: 'capture', day: '2026-03-03', type: 'sale', method: 'card', brand: 'visa', detail: '', measure, n };
      await insert(old, 'transaction_facts', { ...own, ...of });
    }
    await old.close();
    const migrated = await open(NEW);
    const read = migrated.read('ten_1');
    const rows = (sql: string) => read.all<Record<string, unknown>>(`${sql.replace('WHERE', 'WHERE tenant_id = :tenantId AND')}`);
    expect(await rows('SELECT id, day FROM ledger_transfers WHERE 1 = 1 ORDER BY id')).toEqual([
      { id: 'opening/txn_1', day: '2026-03-02' },
      { id: 'opening/txn_2', day: '2026-03-03' },
    ]);
    const facts = await rows('SELECT day, measure, n FROM transaction_facts WHERE 1 = 1 ORDER BY day, measure');
    expect(facts.map(({ day, measure, n }) => [day, measure, Number(n)])).toEqual([
      ['2026-03-02', 'amount', 500],
      ['2026-03-02', 'count', 1],
      ['2026-03-03', 'amount', 700],
      ['2026-03-03', 'count', 1],
    ]);
    const [counted] = await rows("SELECT n FROM ledger_unsettled_lines WHERE merchant_id = 'mer_1'");
    expect(Number(counted?.n)).toBe(2);
    await migrated.close();
    await drop();
  },
);
