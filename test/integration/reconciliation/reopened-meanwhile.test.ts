import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storeUpload } from '#core/books/reconciliation';
import { openTestCore } from '../../support/core.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const DATE = '2026-05-01';
/** More discrepancies than one unit of work writes, so that the first of them are written before the run. */
const ROWS = 1_001;

test.each(ANY_DATABASE)('a comparison does not repeat an explanation that is removed while it runs (%s)', async (kind) => {
  const { core, actor, close } = await openTestCore(undefined, kind);
  onTestFinished(close);
  const rows = Array.from({ length: ROWS }, (_, n) => `x${n},1.00,${DATE}`);
  const file = await storeUpload(actor.tenantId, Readable.from([Buffer.from(['id,amount,date', ...rows].join('\n'))]));
  const mapping = { transactionId: 'id', amount: 'amount', date: 'date' };
  const { importId } = await core.reconciliation.importFile(actor, { file, filename: null, mapping });
  await file.dispose();
  const { runId } = await core.reconciliation.run(actor, { date: DATE, importId });
  const itemAt = async (page: number) =>
    (await core.reconciliation.items(actor, runId ?? '', 'discrepancies', { page, limit: 1 })).items[0]?.id ?? '';
  const [early, late, other] = [await itemAt(1), await itemAt(ROWS), await itemAt(2)];
  for (const id of [early, late, other]) await core.reconciliation.resolve(actor, id, 'Wrong line');
  const { unitOfWork } = core.database;
  const transaction = unitOfWork.transaction.bind(unitOfWork);
  // The run is written by the first transaction: the explanations are removed immediately before it.
  vi.spyOn(unitOfWork, 'transaction').mockImplementationOnce(async (tenantId, run) => {
    for (const id of [early, late]) await core.reconciliation.reopen(actor, id);
    return transaction(tenantId, run);
  });
  const newest = await core.reconciliation.run(actor, { date: DATE, importId });
  expect(newest).toMatchObject({ discrepancyCount: ROWS, openCount: ROWS - 1 });
  const open = await core.database
    .read(actor.tenantId)
    .all<{ status: string; n: number }>(
      'SELECT status, count(*) AS n FROM reconciliation_items WHERE tenant_id = :tenantId AND run_id = :run GROUP BY status ORDER BY status',
      { run: newest.runId },
    );
  expect(open.map(({ status, n }) => [status, Number(n)])).toEqual([
    ['open', ROWS - 1],
    ['resolved', 1],
  ]);
});
