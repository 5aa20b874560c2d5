import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('SumBankLines'));

test.for(ANY_DATABASE)('sums existing bank lines by day and currency (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  for (const [id, booked_day, state, amount_minor, unrelated_minor] of [
    ['bln_1', '2026-11-02', 'open', 1_000, 0],
    ['bln_2', '2026-11-02', 'matched', -300, -300],
    ['bln_3', '2026-11-03', 'matched', 700, 0],
  ] as const) {
    const line = { tenant_id: 'ten_1', merchant_id: 'mer_1', currency: 'USD', id, booked_day, state, amount_minor, unrelated_minor };
    await insertInto(old, 'bank_lines', { ...line, identity: id });
  }
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all<{ booked_day: string; measure: string; n: number }>(
      'SELECT booked_day, measure, n FROM bank_day_sums WHERE tenant_id = :tenantId ORDER BY booked_day, measure',
    );
  expect(rows.map(({ booked_day, measure, n }) => [booked_day, measure, Number(n)])).toEqual([
    ['2026-11-02', 'amount', 700],
    ['2026-11-02', 'lines', 2],
    ['2026-11-02', 'open_lines', 1],
    ['2026-11-02', 'unrelated', -300],
    ['2026-11-03', 'amount', 700],
    ['2026-11-03', 'lines', 1],
  ]);
  await migrated.close();
  await drop();
});
