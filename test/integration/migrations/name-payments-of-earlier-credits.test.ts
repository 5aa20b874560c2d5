import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('NamePaymentsOfEarlierCredits'));

/** A transaction as tenant, ID, type, token, and the payment that it names. */
const TRANSACTIONS = [
  ['ten_1', 'txn_1', 'sale', 'tok_once', null],
  ['ten_1', 'txn_2', 'credit', 'tok_once', null],
  // A credit of a credit has the token of the payment too.
  ['ten_1', 'txn_3', 'credit', 'tok_once', null],
  ['ten_1', 'txn_4', 'sale', 'tok_on_file', null],
  ['ten_1', 'txn_5', 'sale', 'tok_on_file', null],
  ['ten_1', 'txn_6', 'credit', 'tok_on_file', null],
  ['ten_1', 'txn_7', 'credit', 'tok_on_file', 'txn_4'],
  ['ten_1', 'txn_8', 'credit', 'tok_other_tenant', null],
  ['ten_2', 'txn_9', 'sale', 'tok_other_tenant', null],
  ['ten_1', 'txn_a', 'auth', 'tok_without_credit', null],
] as const;

test.for(ANY_DATABASE)('names the payment of earlier credits only if it is certain (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  for (const [tenant_id, id, type, token, credit_of] of TRANSACTIONS)
    await insertInto(old, 'transactions', { tenant_id, id, type, token, credit_of, status: 'approved', method: 'card', source: 'keyed' });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all<{ id: string; credit_of: string }>(
      'SELECT id, credit_of FROM transactions WHERE tenant_id = :tenantId AND credit_of IS NOT NULL ORDER BY id',
    );
  expect(rows.map(({ id, credit_of }) => [id, credit_of])).toEqual([
    ['txn_2', 'txn_1'],
    ['txn_3', 'txn_1'],
    ['txn_7', 'txn_4'],
  ]);
  await migrated.close();
  await drop();
});
