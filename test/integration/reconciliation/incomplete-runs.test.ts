import { Readable } from 'node:stream';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { storeUpload } from '#core/books/reconciliation';
import { openTestCore } from '../../support/core.ts';
import type { DatabaseKind } from '../../support/database-kinds.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const DATE = '2026-05-01';
/** More discrepancies than two units of work write. */
const ROWS = 1_200;
const TWO_HOURS_S = 7_200;

/** An imported file of payments that Paydesk does not know, each of which is a discrepancy. */
async function open(kind: DatabaseKind) {
  const { core, actor, close } = await openTestCore(undefined, kind);
  onTestFinished(close);
  const rows = Array.from({ length: ROWS }, (_, n) => `x${n},1.00,${DATE}`);
  const file = await storeUpload(actor.tenantId, Readable.from([Buffer.from(['id,amount,date', ...rows].join('\n'))]));
  const mapping = { transactionId: 'id', amount: 'amount', date: 'date' };
  const { importId } = await core.reconciliation.importFile(actor, { file, filename: null, mapping });
  await file.dispose();
  return {
    core,
    actor,
    run: () => core.reconciliation.run(actor, { date: DATE, importId }),
    itemsByRun: async () =>
      (
        await core.database
          .read(actor.tenantId)
          .all<{ n: number }>('SELECT count(*) AS n FROM reconciliation_items WHERE tenant_id = :tenantId GROUP BY run_id')
      ).map(({ n }) => Number(n)),
  };
}

afterEach(() => vi.restoreAllMocks());

describe.each(ANY_DATABASE)('a comparison with a file (%s)', (kind) => {
  test('leaves no discrepancies if it fails after it has written some, and can be repeated', async () => {
    const { core, run, itemsByRun } = await open(kind);
    vi.spyOn(core.database.unitOfWork, 'transaction').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(run()).rejects.toThrow('the disk is full');
    expect(await itemsByRun()).toEqual([]);
    expect((await run()).discrepancyCount).toBe(ROWS);
    expect(await itemsByRun()).toEqual([ROWS]);
  });

  test('leaves discrepancies if its server is killed, which the hourly maintenance removes', async () => {
    const { core, actor, run, itemsByRun } = await open(kind);
    const { unitOfWork } = core.database;
    const transaction = vi.spyOn(unitOfWork, 'transaction').mockRejectedValue(new Error('the server was killed'));
    await expect(run()).rejects.toThrow('the server was killed');
    transaction.mockRestore();
    const [left = 0] = await itemsByRun();
    expect(left).toBeGreaterThan(0);
    await run();
    // A comparison of another server may still run.
    await core.reconciliation.cleanUp(actor.tenantId);
    expect((await itemsByRun()).toSorted((one, other) => one - other)).toEqual([left, ROWS].toSorted((one, other) => one - other));
    await core.sandbox.moveClock(actor, { advanceSeconds: TWO_HOURS_S });
    await core.reconciliation.cleanUp(actor.tenantId);
    expect(await itemsByRun()).toEqual([ROWS]);
  });
});
