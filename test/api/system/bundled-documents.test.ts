// @module-tag full
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blankPng, pngFile } from '../../support/hostile-files.ts';
import { startServerProcess } from '../../support/process.ts';
import { apiOf, expectData, expectError } from '../../support/server.ts';

// The other tests run the sources; the script of the thread is a file of its own in every bundle.
test('reads and refuses documents in a bundled server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-bundled-'));
  const server = await startServerProcess(dataDir);
  try {
    const { admin } = apiOf(server.baseUrl, server.credentials);
    const sale = {
      amount: 42,
      paymentMethod: 'card',
      card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2045', cvv: '123' },
    };
    const { transactionId } = await expectData(admin.post<{ transactionId: string }>('/transactions', sale));
    const { disputeId } = await expectData(admin.post<{ disputeId: string }>('/disputes', { transactionId }), 201);
    const attach = (content: Buffer) => {
      const form = new FormData();
      form.set('item', 'receipt');
      form.set('file', new Blob([new Uint8Array(content)]), 'slip.png');
      return admin.post(`/disputes/${disputeId}/attachments`, form);
    };
    const refusal = await expectError(attach(pngFile()), 400, 'VALIDATION_ERROR', 'file');
    expect(refusal).toMatchObject({ details: { reason: 'file_refused' }, message: expect.stringContaining('60000 by 60000 pixels') });
    expect(await expectData(attach(blankPng(100)), 201)).toMatchObject({ pages: 1, mediaType: 'image/png' });
    await expectData(admin.post(`/disputes/${disputeId}/evidence`, {}), 201);
  } finally {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
});
