import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('CountBankLines'));

test.for(ANY_DATABASE)('counts existing bank lines by account and state (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  for (const [id, account_id, state] of [
    ['bln_1', 'bac_1', 'open'],
    ['bln_2', 'bac_1', 'open'],
    ['bln_3', 'bac_1', 'matched'],
    ['bln_4', 'bac_2', 'open'],
  ] as const)
    await insertInto(old, 'bank_lines', { tenant_id: 'ten_1', merchant_id: 'mer_1', id, account_id, state, identity: id });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all<{ account_id: string; state: string; n: number }>(
      'SELECT account_id, state, n FROM bank_line_counts WHERE tenant_id = :tenantId ORDER BY account_id, state',
    );
  expect(rows.map(({ account_id, state, n }) => [account_id, state, Number(n)])).toEqual([
    ['bac_1', 'matched', 1],
    ['bac_1', 'open', 2],
    ['bac_2', 'open', 1],
  ]);
  await migrated.close();
  await drop();
});
