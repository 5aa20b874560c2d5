import { expect, onTestFinished, test } from 'vitest';
import type { UploadedFile } from '#core/books/reconciliation';
import { openTestCore } from '../../support/core.ts';

const MAPPING = { transactionId: 'id', amount: 'amount', date: 'date' };

/** A file whose content after the header is released by the test. */
function heldFile() {
  let [reads, letGo] = [0, () => {}];
  const isLet = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const file: UploadedFile = {
    bytes: 40,
    fingerprint: 'the same',
    encoding: 'utf-8',
    async *text() {
      reads += 1;
      if (reads === 2) await isLet;
      yield 'id,amount,date\nx,1.00,2026-05-01\n';
    },
    content: async () => Buffer.alloc(0),
    dispose: async () => {},
  };
  return { file, letGo };
}

test('refuses a file that is being read, with the time for a retry', async () => {
  const { core, actor, close } = await openTestCore();
  onTestFinished(close);
  const { file, letGo } = heldFile();
  const send = () => core.reconciliation.importFile(actor, { file, filename: null, mapping: MAPPING });
  const first = send();
  await expect.poll(() => core.database.readAcrossTenants().all('SELECT id FROM settlement_imports')).toHaveLength(1);
  const refused = await send().catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'RESOURCE_CONFLICT', message: expect.stringMatching(/^This file is being imported/) });
  const { details } = refused as { details: { importId: string; status: string; retryAfter: number } };
  expect(details).toMatchObject({ importId: expect.stringMatching(/^imp_/), status: 'reading' });
  expect(details.retryAfter).toBeGreaterThan(50);
  expect(details.retryAfter).toBeLessThanOrEqual(61);
  letGo();
  expect((await first).importId).toBe(details.importId);
  await expect(send()).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT', details: { importId: details.importId } });
});
