import { expect, test } from 'vitest';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddTimesOfAuditBlocks'));

test.for(ANY_DATABASE)('adds the times of the full blocks of an audit log (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  await insertInto(old, 'audit_heads', { tenant_id: 'ten_1', n: 4_100 });
  for (const [n, at] of [
    [1, '2026-01-02'],
    [2_000, '2026-01-01'],
    [2_001, '2026-01-03'],
    [4_001, '2026-01-04'],
  ] as const)
    await insertInto(old, 'audit_entries', { tenant_id: 'ten_1', n, id: `aud_${n}`, at });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all<{ block: number; first_at: string; last_at: string }>(
      'SELECT block, first_at, last_at FROM audit_blocks WHERE tenant_id = :tenantId ORDER BY block',
    );
  expect(rows.map(({ block, first_at, last_at }) => [Number(block), first_at, last_at])).toEqual([
    [0, '2026-01-01', '2026-01-02'],
    [1, '2026-01-03', '2026-01-03'],
  ]);
  await migrated.close();
  await drop();
});
