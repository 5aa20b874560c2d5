import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('CountEventsInBlocks'));

test.for(ANY_DATABASE)('counts the existing events of full blocks by type and merchant (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  await insertInto(old, 'event_heads', { tenant_id: 'ten_1', n: 4_100 });
  await insertInto(old, 'event_heads', { tenant_id: 'ten_2', n: 3 });
  for (const [tenant_id, n, type, merchant_id, test, created_at] of [
    ['ten_1', 1, 'transaction.approved', 'mer_1', 0, '2026-01-02'],
    ['ten_1', 2, 'transaction.approved', 'mer_1', 0, '2026-01-01'],
    ['ten_1', 3, 'transaction.approved', 'mer_1', 1, '2026-01-01'],
    ['ten_1', 4, 'refund.processed', 'mer_2', 0, '2026-01-03'],
    ['ten_1', 2_000, 'transaction.approved', 'mer_1', 0, '2026-01-05'],
    ['ten_1', 2_001, 'transaction.approved', 'mer_1', 0, '2026-01-06'],
    ['ten_1', 4_001, 'transaction.approved', 'mer_1', 0, '2026-01-07'],
    ['ten_2', 1, 'transaction.approved', 'mer_1', 0, '2026-01-01'],
  ] as const)
    await insertInto(old, 'events', { tenant_id, id: `evt_${n}`, n, type, merchant_id, test, created_at });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const select =
    'SELECT block, type, merchant_id, first_at, last_at, n FROM event_counts WHERE tenant_id = :tenantId ORDER BY block, type DESC';
  const rows = await migrated.read('ten_1').all<Record<string, string | number>>(select);
  expect(rows.map((row) => ({ ...row, block: Number(row.block), n: Number(row.n) }))).toEqual([
    { block: 0, type: 'transaction.approved', merchant_id: 'mer_1', first_at: '2026-01-01', last_at: '2026-01-05', n: 3 },
    { block: 0, type: 'refund.processed', merchant_id: 'mer_2', first_at: '2026-01-03', last_at: '2026-01-03', n: 1 },
    { block: 1, type: 'transaction.approved', merchant_id: 'mer_1', first_at: '2026-01-06', last_at: '2026-01-06', n: 1 },
  ]);
  expect(await migrated.read('ten_2').all(select)).toEqual([]);
  await migrated.close();
  await drop();
});
