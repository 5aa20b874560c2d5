import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { subjectsOf, transactionDetailsOf, transactionsOf } from '../../../core/reconciliation/records.ts';
import { WHOLE_TENANT } from '../../../core/reconciliation/schema.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
});
afterAll(() => opened.close());
afterEach(() => vi.restoreAllMocks());

const REFERENCES = Array.from({ length: 100 }, (_, index) => `txn_${index}`);
const read = () => opened.database.read('ten_1');

/** Returns the steps of the plans of all statements that an operation runs. */
async function stepsOf(operation: () => Promise<unknown>): Promise<string[]> {
  const statements = vi.spyOn(BetterSqlite3.prototype, 'prepare');
  await operation();
  const texts = statements.mock.calls.map(([text]) => text);
  vi.restoreAllMocks();
  const connection = new BetterSqlite3(opened.place, { readonly: true });
  const steps = texts.flatMap((text) => {
    const values = Array<string>(text.split('?').length - 1).fill('');
    return connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
  });
  connection.close();
  return steps.map(({ detail }) => detail);
}

test.each([
  ['the subjects of lines', () => subjectsOf(read(), WHOLE_TENANT, REFERENCES)],
  ['the transactions of references', () => transactionsOf(read(), REFERENCES)],
  ['the details of transactions', () => transactionDetailsOf(read(), WHOLE_TENANT, new Map(), REFERENCES)],
])('looks up %s by the index of each reference, not through all payments of the tenant', async (_, lookUp) => {
  const reads = (await stepsOf(lookUp)).filter((step) => /\b(transactions|refunds|attempts|t|a)\b.*tenant_id=\?/.test(step));
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.filter((step) => !/\(tenant_id=\? AND (id|transaction_id|processor_ref|gateway_reference)=\?/.test(step))).toEqual([]);
});
