import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('OrderBankLinesByDay'));

test.for(ANY_DATABASE)('puts the day before the identities of existing bank lines (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  const line = {
    tenant_id: 'ten_1',
    merchant_id: 'mer_1',
    account_id: 'bac_1',
    currency: 'USD',
    id: 'bln_1',
    state: 'open',
    amount_minor: 1,
  };
  await insertInto(old, 'bank_lines', { ...line, day: '2026-11-02', booked_day: '2026-12-01', identity: 'Ab_-9' });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated.read('ten_1').all('SELECT identity FROM bank_lines WHERE tenant_id = :tenantId');
  expect(rows).toEqual([{ identity: '2026-11-02.Ab_-9' }]);
  await migrated.close();
  await drop();
});
