import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const QUEUE = '/refund-decline-queue';
const REFUNDS = sized(24, 150);
/** No payment of the sample data has such an amount. */
const FIRST_CENTS = 700_001;
const WITHIN_MS = 60_000 + REFUNDS * 500;

interface Entry {
  readonly transactionId: string;
  readonly status: string;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Creates a payment and a refund of it, which the processor declines once. */
async function createDeclinedRefund({ admin }: Api, amount: number): Promise<string> {
  const { transactionId } = await expectData(admin.post<TransactionRecord>('/transactions', cardBody(amount, CARDS.refundDeclinedOnce)));
  await admin.post(`/transactions/${transactionId}/refund`);
  return transactionId;
}

test.each(ANY_DATABASE)(
  'returns the money of each declined refund exactly once, despite a kill -9 while they are retried (%s)',
  { timeout: 3 * WITHIN_MS },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const flags = ['--log-level', 'silent'];
    const killed = await startServerProcess(dataDir, url, flags);
    const { credentials } = killed;
    const before = apiOf(killed.baseUrl, credentials);
    const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
    cleanUp.push(() => ledger.close());
    const returned = async () => {
      const rows = await ledger
        .read(credentials.tenantId)
        .all<{ amount_minor: number }>(
          "SELECT amount_minor FROM sandbox_ledger WHERE tenant_id = :tenantId AND operation = 'refund' AND approved = 1 AND amount_minor >= :minAmount ORDER BY amount_minor",
          { minAmount: FIRST_CENTS },
        );
      return rows.map(({ amount_minor }) => amount_minor);
    };
    const amounts = Array.from({ length: REFUNDS }, (_, index) => FIRST_CENTS + index);
    const owed = await Promise.all(amounts.map((cents) => createDeclinedRefund(before, cents / 100)));
    const entries = async (api: Api) => {
      const all = await expectData(api.admin.get<Entry[]>(`${QUEUE}?limit=200`));
      return all.filter(({ transactionId }) => owed.includes(transactionId));
    };
    expect((await entries(before)).map(({ status }) => status)).toEqual(owed.map(() => 'pending'));
    expect(await returned()).toEqual([]);

    const running = before.admin.post(`${QUEUE}/process-retries`).catch(() => null);
    await until('a refund is returned', async () => (await returned()).length > 0, {
      withinMs: WITHIN_MS,
      everyMs: 1,
    });
    await killed.kill();
    await running;
    await expireLeasesOfKilledServers(url);
    expect((await returned()).length).toBeLessThan(REFUNDS);

    // On PostgreSQL, a second workstation works on the same queue.
    const folders = url ? [dataDir, join(dataDir, 'second')] : [dataDir];
    const apis: Api[] = [];
    for (const folder of folders) {
      const server = await startServer({
        dataDir: folder,
        masterKey: join(dataDir, 'master.key'),
        databaseUrl: url,
        port: 0,
        demo: true,
        logLevel: 'silent',
      });
      cleanUp.push(() => server.close());
      apis.push(apiOf(server.baseUrl, credentials));
    }
    const [api] = apis as [Api];
    await until(
      'the queue is empty',
      async () => {
        await Promise.all(apis.map(({ admin }) => expectData(admin.post(`${QUEUE}/process-retries`))));
        return (await entries(api)).every(({ status }) => status === 'resolved');
      },
      { withinMs: WITHIN_MS, everyMs: 100 },
    );
    expect(await returned()).toEqual(amounts);
    for (const transactionId of owed) {
      const payment = await expectData(api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
      expect(payment).toMatchObject({ refundedAmount: payment.amount, reservedAmount: 0 });
    }
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
