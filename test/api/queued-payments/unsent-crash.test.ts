import { expect, onTestFinished, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createCustomerToChargeLater } from '../../support/queued-payments.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const AMOUNTS = [31, 32, 33];
/** Time for which the gateway must answer before the outage counts as ended. */
const HOLD_SECONDS = 10;

test.each(ANY_DATABASE)(
  'sends a queued payment again whose server was killed before the gateway took it, without holding up the others (%s)',
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    onTestFinished(remove);
    const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
    const { merchantId } = killed.credentials;
    let api = apiOf(killed.baseUrl, killed.credentials);
    const salesWith = async (status: string) =>
      (await expectData(api.admin.get<TransactionRecord[]>(`/transactions?merchantId=${merchantId}&status=${status}&limit=200`)))
        .map(({ amount }) => amount)
        .filter((amount) => AMOUNTS.includes(amount))
        .toSorted();

    const customerId = await createCustomerToChargeLater(api, merchantId);
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'down' }));
    for (const amount of AMOUNTS) await expectData(api.admin.post('/queued-payments', { customerId, amount }), 201);
    const before = { approved: await salesWith('approved'), failed: await salesWith('failed') };

    // The slow gateway processes a payment only after seconds: its intent is committed, and the server is killed before.
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'slow' }));
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: HOLD_SECONDS }));
    await until('the first payment is on its way', async () => (await salesWith('pending')).length > 0, { everyMs: 5 });
    await killed.kill();
    await expireLeasesOfKilledServers(url);

    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    onTestFinished(server.close);
    api = apiOf(server.baseUrl, killed.credentials);
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    const states = async () =>
      (await expectData(api.admin.get<{ status: string }[]>(`/queued-payments?merchantId=${merchantId}&limit=200`))).map(
        ({ status }) => status,
      );
    await until('the whole queue is paid', async () => (await states()).every((status) => status === 'paid'));
    expect(await salesWith('approved')).toEqual([...before.approved, ...AMOUNTS].toSorted());
    expect(await salesWith('failed')).toEqual([...before.failed, 31].toSorted());
  },
);
