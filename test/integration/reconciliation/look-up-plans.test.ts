import { afterAll, beforeAll, expect, test } from 'vitest';
import { subjectsOf, transactionDetailsOf, transactionsOf } from '../../../core/books/reconciliation/our-lines.ts';
import { WHOLE_TENANT } from '../../../core/books/reconciliation/schema.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';
import { planOf } from '../../support/plans.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
});
afterAll(() => opened.close());

const REFERENCES = Array.from({ length: 100 }, (_, index) => `txn_${index}`);
const read = () => opened.database.read('ten_1');

test.each([
  ['the subjects of lines', () => subjectsOf(read(), WHOLE_TENANT, REFERENCES)],
  ['the transactions of references', () => transactionsOf(read(), REFERENCES)],
  ['the details of transactions', () => transactionDetailsOf(read(), WHOLE_TENANT, new Map(), undefined, REFERENCES)],
])('looks up %s by the index of each reference, not through all payments of the tenant', async (_, lookUp) => {
  const reads = (await planOf(lookUp)).filter((step) => /\b(transactions|refunds|attempts|t|a)\b.*tenant_id=\?/.test(step));
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.filter((step) => !/\(tenant_id=\? AND (id|transaction_id|processor_ref|gateway_reference)=\?/.test(step))).toEqual([]);
});
