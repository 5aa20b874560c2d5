import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { UploadedFile } from '#core/books/reconciliation';
import { openTestCore } from '../../support/core.ts';
import type { DatabaseKind } from '../../support/database-kinds.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const MAPPING = { transactionId: 'id', amount: 'amount', date: 'date' };
/** A multiple of the lines that one unit of work adds on either database. */
const ROWS = 2_000;

const row = (n: number) => `x${n},1.00,2026-05-01\n`;
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => row(from + n)).join('');

/** Returns an upload whose second reading, which adds the lines, calls `atMiddle` before its last part. */
function upload(first: string, last: string, atMiddle: () => Promise<unknown> = async () => {}): UploadedFile {
  let readings = 0;
  return {
    bytes: first.length + last.length,
    fingerprint: 'the same',
    encoding: 'utf-8',
    async *text() {
      readings += 1;
      yield `id,amount,date\n${first}`;
      if (readings === 2) await atMiddle();
      yield last;
    },
    content: async () => Buffer.alloc(0),
    dispose: async () => {},
  };
}

async function open(kind: DatabaseKind) {
  const { core, actor, close } = await openTestCore(undefined, kind);
  onTestFinished(close);
  const { unitOfWork } = core.database;
  const read = core.database.read(actor.tenantId);
  return {
    unitOfWork,
    send: (file: UploadedFile) => core.reconciliation.importFile(actor, { file, filename: null, mapping: MAPPING }),
    /** Makes an import look as if its server had not answered for more than a minute. */
    expire: () =>
      unitOfWork.transaction(actor.tenantId, (work) => work.run('UPDATE settlement_imports SET lease_ms = 0 WHERE tenant_id = :tenantId')),
    imports: () => read.all<{ id: string; status: string }>('SELECT id, status FROM settlement_imports WHERE tenant_id = :tenantId'),
    linesByImport: async () =>
      Object.fromEntries(
        (
          await read.all<{ id: string; n: number }>(
            'SELECT import_id AS id, count(*) AS n FROM settlement_import_lines WHERE tenant_id = :tenantId GROUP BY import_id',
          )
        ).map(({ id, n }) => [id, Number(n)]),
      ),
  };
}

afterEach(() => vi.restoreAllMocks());

describe.each(ANY_DATABASE)('an import of a settlement file that stops for more than a minute (%s)', (kind) => {
  test('is not reported as complete after another request imported the file, also if all of its lines were added', async () => {
    const { send, expire, imports, linesByImport } = await open(kind);
    let second: { importId: string } | undefined;
    const stopped = upload(rows(0, ROWS), '', async () => {
      await expire();
      second = await send(upload(rows(0, ROWS), ''));
    });
    await expect(send(stopped)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT' });
    expect(await imports()).toEqual([{ id: second?.importId, status: 'ready' }]);
    expect(await linesByImport()).toEqual({ [second?.importId as string]: ROWS });
  });

  test('adds no lines while another request removes it', async () => {
    const { unitOfWork, send, expire, linesByImport } = await open(kind);
    let continueFirst = () => {};
    const isContinued = new Promise<void>((resolve) => {
      continueFirst = resolve;
    });
    let atMiddle = () => {};
    const isAtMiddle = new Promise<void>((resolve) => {
      atMiddle = resolve;
    });
    const first = send(
      upload(rows(0, ROWS), rows(ROWS, 2 * ROWS), async () => {
        atMiddle();
        await isContinued;
      }),
    );
    const refused = expect(first).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT' });
    await isAtMiddle;
    await expire();
    // The first request continues when the first lines are removed.
    const transaction = unitOfWork.transaction.bind(unitOfWork);
    let removals = 0;
    vi.spyOn(unitOfWork, 'transaction').mockImplementation(async (tenantId, run) => {
      const result = await transaction(tenantId, run);
      removals += 1;
      if (removals === 2) {
        continueFirst();
        await first.catch(() => {});
      }
      return result;
    });
    const { importId } = await send(upload(rows(0, ROWS), rows(ROWS, 2 * ROWS)));
    await refused;
    expect(await linesByImport()).toEqual({ [importId]: 2 * ROWS });
  });
});
