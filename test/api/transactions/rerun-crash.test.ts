import { afterAll, expect, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createDeclinedSale, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, expectError } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

const AMOUNT = 23.45;
const RESOLVED_WITHIN_MS = 60_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'keeps the claim of a rerun until it has failed, if its server is killed before the gateway takes it (%s)',
  { timeout: 120_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const flags = ['--log-level', 'silent'];
    const killed = await startServerProcess(dataDir, url, flags);
    let api = apiOf(killed.baseUrl, killed.credentials);
    const { transactionId } = await createDeclinedSale({ api }, undefined, AMOUNT);
    const rerun = () => api.admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`);
    const pending = async () =>
      (await expectData(api.admin.get<TransactionRecord[]>('/transactions?status=pending'))).find(({ amount }) => amount === AMOUNT);

    // The slow gateway processes a payment only after seconds: the intent is committed, and the server is killed before.
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'slow' }));
    const asked = rerun().catch(() => null);
    await expect.poll(pending, { interval: 10 }).toBeDefined();
    const claimed = String((await pending())?.transactionId);
    await killed.kill();
    await asked;
    await expireLeasesOfKilledServers(url);

    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    cleanUp.push(server.close);
    api = apiOf(server.baseUrl, killed.credentials);
    const error = await expectError(rerun(), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ transactionId: claimed, reason: 'rerun_pending' });

    await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    const status = async () => (await expectData(api.admin.get<TransactionRecord>(`/transactions/${claimed}`))).status;
    await expect.poll(status, { timeout: RESOLVED_WITHIN_MS, interval: 50 }).toBe('failed');
    expect(await expectData(rerun())).toMatchObject({ status: 'approved', rerunOf: transactionId });
    await expectError(rerun(), 409, 'RESOURCE_CONFLICT');
  },
);
