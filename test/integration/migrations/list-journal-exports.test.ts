import { expect, test } from 'vitest';
import { newId } from '#core/kernel';
import { MIGRATIONS } from '#migrations';
import { insertInto, stepOf } from '../../support/migrations.ts';

const AT = MIGRATIONS.findIndex(({ name }) => name.startsWith('ListJournalExports'));

test.for(['sqlite', 'postgres'] as const)('lists the exports of earlier versions with their entries (%s)', async (kind) => {
  const { open, drop } = await stepOf(kind);
  const old = await open(MIGRATIONS.slice(0, AT));
  const ids = [1, 2].map((day) => newId('jex', Date.UTC(2026, 6, day, 12)));
  const [first = '', second = ''] = ids;
  const add = (exportId: string, bookedDay: string, revision = 1) =>
    insertInto(old, 'journal_entries', {
      ...{ tenant_id: 'ten_1', merchant_id: 'mer_1', currency: 'USD', day: '2026-06-15', kind: 'capture', subject: bookedDay, revision },
      ...{ booked_day: bookedDay, amount_minor: 100, export_id: exportId },
    });
  await add(first, '2026-06-15');
  await add(first, '2026-07-01');
  await add(second, '2026-06-15', 2);
  await add('', '2026-06-16');
  await insertInto(old, 'audit_entries', { tenant_id: 'ten_1', n: 1, id: 'aud_1', resource: `reporting/journal/${second}`, actor: 'ana' });
  await old.close();
  const migrated = await open(MIGRATIONS.slice(0, AT + 1));
  const rows = await migrated
    .read('ten_1')
    .all<Record<string, string>>('SELECT * FROM journal_exports WHERE tenant_id = :tenantId ORDER BY n');
  const expected = { tenant_id: 'ten_1', merchant_id: 'mer_1', contents: 'new' };
  expect(rows.map(({ n, entries, new_entries, ...row }) => ({ ...row, counts: [n, entries, new_entries].map(Number) }))).toEqual([
    {
      ...expected,
      ...{ id: first, start_date: '2026-06-15', end_date: '2026-07-01', counts: [1, 2, 2] },
      ...{ created_by: null, created_at: '2026-07-01T12:00:00.000Z' },
    },
    {
      ...expected,
      ...{ id: second, start_date: '2026-06-15', end_date: '2026-06-15', counts: [2, 1, 1] },
      ...{ created_by: 'ana', created_at: '2026-07-02T12:00:00.000Z' },
    },
  ]);
  await migrated.close();
  await drop();
});
