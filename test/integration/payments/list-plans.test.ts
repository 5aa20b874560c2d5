import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Query, Read } from '#core/database';
import { parseCurrency } from '#core/kernel';
import { statementOf } from '../../../core/database/queries.ts';
import {
  countByDays,
  newestRows,
  rowsMatching,
  type TransactionFilter,
  transactionCondition,
} from '../../../core/sales/payments/list/list.ts';
import { TRANSACTIONS } from '../../../core/sales/payments/schema.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
});
afterAll(() => opened.close());

/** Returns the steps of the plan on the transactions, on a database without statistics, as every installation has. */
function stepsOf(query: Query<unknown>): string[] {
  const { sql, params } = statementOf(query);
  const connection = new BetterSqlite3(opened.place, { readonly: true });
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ ...params, tenantId: 'ten_1' }) as { detail: string }[];
  connection.close();
  return steps.map(({ detail }) => detail).filter((detail) => detail.includes('transactions'));
}

const MERCHANT = 'mer_1';
const USD = parseCurrency('USD');

test.each<[string, TransactionFilter]>([
  ['digits', { q: '7000' }],
  ['digits of a merchant', { q: '7000', merchantId: MERCHANT }],
  ['an amount of a merchant', { q: '49.99', merchantId: MERCHANT }],
  ['an amount of a merchant on some days', { q: '49.99', merchantId: MERCHANT, startDate: '2026-01-01', endDate: '2026-01-31' }],
  ['an order of a merchant', { q: 'A-17', merchantId: MERCHANT }],
])('a search for %s reads no other payments', (_, filter) => {
  const condition = transactionCondition(filter, 'UTC', USD);
  for (const query of [
    newestRows(TRANSACTIONS, condition, { limit: 51 }).selectAll(),
    rowsMatching(TRANSACTIONS, condition).select(({ fn }) => fn.countAll<number>().as('n')),
  ]) {
    const steps = stepsOf(query);
    expect(steps.length).toBeGreaterThan(0);
    // Each step finds its rows by an ID or by the text that is searched for, not by tenant or merchant alone.
    for (const step of steps)
      expect(step).toMatch(/SEARCH transactions .*\b(amount_minor|order_key|auth_code|gateway_reference|last4|id)=\?/);
  }
});

test.each<[string, TransactionFilter]>([
  ['an account', {}],
  ['a merchant', { merchantId: MERCHANT }],
  ['a merchant on some days', { merchantId: MERCHANT, startDate: '2026-01-01', endDate: '2026-01-31' }],
])('the total of %s reads the pending payments only', async (_, filter) => {
  const queries: Query<unknown>[] = [];
  const read = {
    row: async (query: Query<unknown>) => {
      queries.push(query);
      return null;
    },
  } as unknown as Read;
  await countByDays(read, filter, transactionCondition(filter, 'UTC', USD));
  const steps = queries.flatMap(stepsOf);
  expect(steps).toContainEqual(expect.stringContaining('transactions_by_status (tenant_id=? AND status=?'));
  expect(steps.filter((step) => step.includes('transactions_by_merchant'))).toEqual([]);
});
