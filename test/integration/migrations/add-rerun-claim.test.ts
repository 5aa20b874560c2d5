import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddRerunClaim'));

/** A transaction as ID, status, and the ID of the rerun transaction. */
const TRANSACTIONS = [
  ['txn_1', 'declined', null],
  ['txn_2', 'declined', 'txn_1'],
  ['txn_3', 'approved', 'txn_2'],
  ['txn_4', 'declined', 'txn_1'],
  ['txn_5', 'failed', null],
  ['txn_6', 'declined', 'txn_5'],
  ['txn_7', 'declined', 'txn_5'],
  ['txn_8', 'declined', null],
] as const;

test.for(ANY_DATABASE)('names the rerun that bars another on the first transaction of each sale (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  for (const [id, status, rerun_of] of TRANSACTIONS)
    await insertInto(old, 'transactions', { tenant_id: 'ten_1', id, status, rerun_of, type: 'sale', method: 'card', source: 'keyed' });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all<{ id: string; rerun_transaction_id: string | null }>(
      'SELECT id, rerun_transaction_id FROM transactions WHERE tenant_id = :tenantId AND rerun_transaction_id IS NOT NULL ORDER BY id',
    );
  expect(rows.map(({ id, rerun_transaction_id }) => [id, rerun_transaction_id])).toEqual([
    ['txn_1', 'txn_3'],
    ['txn_5', 'txn_7'],
  ]);
  await migrated.close();
  await drop();
});
