import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('CountFeesByCaptureDay'));
const OF = { tenant_id: 'ten_1', merchant_id: 'mer_1', currency: 'USD', type: 'sale', method: 'card' };

test.for(ANY_DATABASE)('moves the fees of settled sales to the day of their capture (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  for (const [id, day, captured, fee_minor] of [
    ['txn_1', '2026-11-01', '2026-11-01', 59],
    ['txn_2', '2026-11-01', '2026-11-03', 41],
    ['txn_3', '2026-11-03', '2026-11-03', 100],
    ['txn_4', '2026-11-03', '2026-11-03', null],
  ] as const) {
    await insertInto(old, 'transactions', { ...OF, id, day, fee_minor, status: 'approved', source: 'keyed', card_brand: 'visa' });
    await insertInto(old, 'ledger_transfers', { ...OF, id: `att_${id}`, kind: 'capture', subject_id: id, day: captured });
  }
  const fees = { ...OF, fact: 'fee', day: '2026-11-04', brand: 'visa', detail: '' };
  await insertInto(old, 'transaction_facts', { ...fees, measure: 'count', n: 3 });
  await insertInto(old, 'transaction_facts', { ...fees, measure: 'amount', n: 200 });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all<{ day: string; measure: string; n: number }>(
      "SELECT day, measure, n FROM transaction_facts WHERE tenant_id = :tenantId AND fact = 'fee' ORDER BY day, measure",
    );
  expect(rows.map(({ day, measure, n }) => [day, measure, Number(n)])).toEqual([
    ['2026-11-01', 'amount', 59],
    ['2026-11-01', 'count', 1],
    ['2026-11-03', 'amount', 141],
    ['2026-11-03', 'count', 2],
  ]);
  await migrated.close();
  await drop();
});
