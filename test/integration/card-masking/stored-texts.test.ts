import { expect, test } from 'vitest';
import { maskCardNumbersJob, TABLES } from '#core/card-masking';
import type { Table } from '#core/database';
import { FREE_TEXT } from '../../../core/tables.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const NUMBER = '5105105105105100';
const BATCH_ROWS = 2;

type ScanRow = { id: string; fence: number; position: string | null; rows_masked: number; finished_at: string | null };
const [SCANS] = TABLES as unknown as [Table<ScanRow & { tenant_id: string; due_ms: number | null; lease_ms: number }>];

/** Customers and events that a version without the refusal could have stored. */
async function storeOldRows({ core, actor }: TestCore): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push((await core.customers.create(actor, { firstName: name })).customerId);
  await core.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const [first, second, third] = ids;
    const set = (id: string | undefined, column: string, value: string) =>
      work.run(`UPDATE customers SET ${column} = :value WHERE tenant_id = :tenantId AND id = :id`, { value, id: id ?? '' });
    await set(first, 'notes', `called, read out 5105 1051 0510 5100`);
    await set(second, 'metadata', JSON.stringify({ [NUMBER]: Number(NUMBER), a: [`x ${NUMBER}`], n: 5 }));
    await set(third, 'notes', 'order 9999999999999995');
    const word = 'INSERT INTO customer_words (tenant_id, word, customer_id) VALUES (:tenantId, :word, :id)';
    await work.run(word, { word: NUMBER, id: first ?? '' });
    work.insert(SCANS, {
      tenant_id: actor.tenantId,
      id: 'stored-texts',
      due_ms: 0,
      lease_ms: 0,
      fence: 1,
      position: null,
      rows_masked: 0,
      finished_at: null,
    });
  });
  return ids;
}

const scanOf = async ({ core, actor }: TestCore) => (await core.database.read(actor.tenantId).find(SCANS, {}))[0];

function jobOf({ core }: TestCore, stopAfterBatches = Number.POSITIVE_INFINITY) {
  let batches = 0;
  const { database } = core;
  const unitOfWork = {
    ...database.unitOfWork,
    transaction: (async (tenantId, work) => {
      if (batches >= stopAfterBatches) throw new Error('the server stopped');
      batches += 1;
      return database.unitOfWork.transaction(tenantId, work);
    }) as typeof database.unitOfWork.transaction,
  };
  return maskCardNumbersJob({
    database: {
      kind: database.kind,
      nowSql: database.nowSql,
      presence: database.presence,
      signals: database.signals,
      unitOfWork,
      read: (tenantId) => database.read(tenantId),
      readAcrossTenants: () => database.readAcrossTenants(),
      purgeDeletedRows: () => database.purgeDeletedRows(),
      expectWrites: () => database.expectWrites(),
      status: () => database.status(),
      replication: () => database.replication(),
      health: () => database.health(),
      ping: () => database.ping(),
      close: () => database.close(),
    },
    freeText: FREE_TEXT,
    audit: core.audit.record,
    report: () => {},
    forget: () => {},
    batchRows: BATCH_ROWS,
  });
}

test.each(ANY_DATABASE)(
  'masks card numbers in stored texts once, continues after an interruption and counts the rows (%s)',
  async (kind) => {
    const made = await openTestCore(undefined, kind);
    const { core, actor } = made;
    try {
      const [first = '', second = '', third = ''] = await storeOldRows(made);
      const scan = await scanOf(made);
      await expect(jobOf(made, 8).run(scan as never)).rejects.toThrow('the server stopped');
      expect((await scanOf(made))?.position).not.toBeNull();
      expect((await scanOf(made))?.finished_at).toBeNull();

      for (let left = 30; left > 0 && (await scanOf(made))?.finished_at === null; left -= 1) await jobOf(made).run(scan as never);
      expect(await scanOf(made)).toMatchObject({ rows_masked: 3, finished_at: expect.any(String), due_ms: null });
      expect(await core.customers.get(actor, first)).toMatchObject({ notes: 'called, read out ****5100' });
      expect(await core.customers.get(actor, second)).toMatchObject({ metadata: { '****5100': '****5100', a: ['x ****5100'], n: 5 } });
      expect(await core.customers.get(actor, third)).toMatchObject({ notes: 'order 9999999999999995' });
      const words = await core.database
        .read(actor.tenantId)
        .all('SELECT * FROM customer_words WHERE tenant_id = :tenantId AND word = :word', {
          word: NUMBER,
        });
      expect(words).toEqual([]);

      const { items } = await core.audit.page(
        { ...actor, permissions: new Set(['audit:read']) },
        { action: 'card_numbers.masked' } as never,
        {
          page: 1,
          limit: 10,
        },
      );
      expect(items).toMatchObject([{ actor: 'service', after: { rowsMasked: 3 } }]);
      expect(await core.audit.verify(actor)).toMatchObject({ valid: true });
    } finally {
      await made.close();
    }
  },
);

test('searches only columns of text that exist', () => {
  for (const { table, columns } of FREE_TEXT)
    for (const column of columns) expect([table.name, table.types[column]]).toEqual([table.name, 'text']);
  expect(FREE_TEXT.map(({ table }) => table.name)).toEqual(expect.arrayContaining(['transactions', 'customer_words', 'once_keys']));
});
