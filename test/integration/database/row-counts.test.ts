import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TABLES } from '#core';
import { newestPage, queriesOn, type Table, type Work } from '#core/database';
import { type IdPrefix, newId } from '#core/kernel';
import { checkIntegrity } from '../../../core/books/reporting/integrity-check.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { DATABASES } from '../../support/server.ts';

interface Row {
  readonly tenant_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly status: string;
  readonly kind: string;
  readonly deleted_at: string | null;
}

const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  customers: 'cus',
  subscriptions: 'sub',
  invoices: 'inv',
  gift_cards: 'gcd',
  orders: 'ord',
};
const COUNTED = TABLES.filter(({ counts }) => counts !== undefined) as unknown as Table<Row>[];
const [CUSTOMERS, GIFT_CARDS] = ['customers', 'gift_cards'].map((name) => COUNTED.find((table) => table.name === name) as Table<Row>);
const TENANT = 'ten_a';
const MERCHANTS = ['mer_1', 'mer_2'];
const STATUSES = ['open', 'paid', 'canceled'];
const DELETED = '2026-01-02T00:00:00.000Z';

let rowNumber = 0;
/** Returns a row of a table with other values in the columns of its unique keys. */
function newRow(table: Table<Row>, values: Partial<Row>): Row {
  rowNumber += 1;
  const column = (name: string) => (table.types[name] === 'text' ? `${rowNumber}` : rowNumber);
  const filled = Object.fromEntries(table.columns.filter((name) => !table.nullable.includes(name)).map((name) => [name, column(name)]));
  const own = { tenant_id: TENANT, id: newId(PREFIXES[table.name] as IdPrefix, rowNumber), kind: 'card', status: 'open' };
  const all = { ...table.blank, ...filled, ...own, ...values };
  return Object.fromEntries(Object.entries(all).filter(([name]) => (table.columns as readonly string[]).includes(name))) as unknown as Row;
}

describe.each(DATABASES)('counts of rows (%s)', (kind) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  const run = (work: (work: Work) => Promise<unknown>) => opened.database.unitOfWork.transaction(TENANT, work);
  const read = () => opened.database.read(TENANT);

  /** Compares the total of each filter of a table with the rows that match it, and all counts with all rows. */
  async function expectTotals(table: Table<Row>) {
    const rows = await read().find(table, { tenant_id: TENANT });
    const present = table.counts?.unless === undefined ? {} : { deleted_at: null };
    const alternatives = (column: 'merchant_id' | 'status', ...values: (string | readonly string[])[]) =>
      table.counts?.by.includes(column) ? [{}, ...values.map((value) => ({ [column]: value }))] : [{}];
    for (const merchant of alternatives('merchant_id', ...MERCHANTS))
      for (const status of alternatives('status', 'paid', ['open', 'paid'])) {
        const filter: Record<string, string | readonly string[] | null | undefined> = { ...merchant, ...status, ...present };
        const matches = (row: Row) =>
          Object.entries(filter).every(([column, value]) => [value].flat().includes(row[column as keyof Row] as string));
        const { items, total } = await newestPage(read(), table, PREFIXES[table.name] as IdPrefix, filter, { page: 1, limit: 200 });
        const expected = rows.filter(matches);
        expect([total, items.length], JSON.stringify(filter)).toEqual([expected.length, Math.min(200, expected.length)]);
      }
    const differences = await checkIntegrity(opened.database.readAcrossTenants());
    expect(differences.filter(({ comparison }) => comparison === 'totals of other lists')).toEqual([]);
  }

  test.each(COUNTED.map((table) => [table.name, table] as const))('equal the rows of %s after parallel changes', async (_, table) => {
    const isRemovable = table.counts?.unless !== undefined;
    const change = fc.record({
      operation: fc.constantFrom('insert', 'batch', 'update', 'update', 'delete', 'fail'),
      merchant_id: fc.constantFrom(...MERCHANTS),
      status: fc.constantFrom(...STATUSES),
      deleted_at: fc.constantFrom(null, null, DELETED),
      index: fc.nat(7),
    });
    const sets = fc.sample(fc.array(change, { minLength: 20, maxLength: 40 }), { numRuns: 6, seed: 5 });
    for (const changes of sets) {
      const known = Array.from({ length: 8 }, () => newRow(table, { merchant_id: 'mer_1' }));
      await run(async (work) => {
        for (const row of known) work.insert(table, row);
      });
      const results = await Promise.allSettled(
        changes.map(async ({ operation, index, merchant_id, status, deleted_at }) => {
          const { id } = known[index] as Row;
          const row = newRow(table, { merchant_id, status, ...(isRemovable && { deleted_at }) });
          const hasStatus = (table.columns as readonly string[]).includes('status');
          const set = { merchant_id, ...(hasStatus && { status }), ...(isRemovable && { deleted_at }) };
          if (operation === 'batch') await opened.database.unitOfWork.writeBatch(TENANT, (batch) => batch.insert(table, row));
          else
            await run(async (work) => {
              if (operation === 'insert' || operation === 'fail') work.insert(table, row);
              if (operation === 'update' || operation === 'fail') await work.update(table, { id }, set);
              if (operation === 'delete') await work.delete(table, { id });
              if (operation === 'fail') throw new Error('takes back both');
            });
        }),
      );
      const failed = results.filter(({ status }) => status === 'rejected');
      expect(failed).toHaveLength(changes.filter(({ operation }) => operation === 'fail').length);
      await expectTotals(table);
    }
  });

  test('follow of ten parallel changes of one row the one that is written last', async () => {
    const row = newRow(GIFT_CARDS as Table<Row>, { merchant_id: 'mer_1' });
    await run(async (work) => work.insert(GIFT_CARDS as Table<Row>, row));
    const changes = Array.from({ length: 10 }, (_, index) => STATUSES[index % STATUSES.length] as string);
    await Promise.all(changes.map((status) => run((work) => work.update(GIFT_CARDS as Table<Row>, { id: row.id }, { status }))));
    await expectTotals(GIFT_CARDS as Table<Row>);
  });

  test('are not bypassed by a query that changes counted columns', async () => {
    const customers = queriesOn(CUSTOMERS as Table<Row, 'customers'>);
    const update = customers.updateTable('customers').set({ deleted_at: DELETED }).where('tenant_id', '=', TENANT);
    await expect(run((work) => work.execute(update))).rejects.toThrow('counted rows are changed by Work');
    const removal = customers.deleteFrom('customers').where('tenant_id', '=', TENANT);
    await expect(run((work) => work.execute(removal))).rejects.toThrow('counted rows are changed by Work');
  });
});
