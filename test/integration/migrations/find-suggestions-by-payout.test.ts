import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('FindSuggestionsByPayout'));

test.for(ANY_DATABASE)('stores the payouts of existing suggestions for bank lines (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  for (const [line_id, suggestion] of [
    ['bln_1', { reason: 'sum', parts: ['pay_1', 'pay_2'].map((payoutId) => ({ kind: 'payout', payoutId, minor: 100 })) }],
    ['bln_2', { reason: 'rule', parts: [{ kind: 'fee', minor: -100 }] }],
    ['bln_3', { reason: 'duplicate', parts: [], payoutIds: ['pay_1'] }],
  ] as const)
    await insertInto(old, 'bank_suggestions', { tenant_id: 'ten_1', line_id, suggestion: JSON.stringify(suggestion) });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all('SELECT payout_id, line_id FROM bank_suggested_payouts WHERE tenant_id = :tenantId ORDER BY payout_id, line_id');
  expect(rows).toEqual([
    { payout_id: 'pay_1', line_id: 'bln_1' },
    { payout_id: 'pay_2', line_id: 'bln_1' },
  ]);
  await migrated.close();
  await drop();
});
