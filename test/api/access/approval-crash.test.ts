import { afterAll, expect, test } from 'vitest';
import type { ApprovalRecord, Waiting } from '../../support/approvals.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSale, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, isSiege, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';

const ROUNDS = sized(2, 12);
/** Largest number of requests after the approval whose answers arrive before the kill. */
const REQUESTS_MAX = 12;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'runs an approved refund once, if the server is killed at any time after the approval and the approval is repeated (%s)',
  { timeout: isSiege ? 600_000 : 120_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    let server = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
    cleanUp.push(() => server.kill());
    const { credentials } = server;
    const fixture = (): ApiFixture => ({ database, baseUrl: server.baseUrl, credentials, api: apiOf(server.baseUrl, credentials) });
    const { api } = fixture();
    await expectData(api.admin.put('/approvals/rules', { refundAbove: 10, personSeconds: 3_600, currentPassword: api.adminPassword }));
    const cashier = await createUser(fixture(), 'cashier');
    for (let round = 0; round < ROUNDS; round += 1) {
      const { transactionId } = await createSale(fixture(), 50);
      const refund = fixture().api.admin.post<Waiting>(`/transactions/${transactionId}/refund`, { amount: 30 }, cashier.headers);
      const { approvalId } = await expectData(refund, 202);
      const approving = fixture()
        .api.admin.post(`/approvals/${approvalId}/approve`, {})
        .catch(() => null);
      for (let left = Math.floor(Math.random() * REQUESTS_MAX); left > 0; left -= 1) await fixture().api.bare.get('/health');
      await server.kill();
      await approving;
      await expireLeasesOfKilledServers(url);
      server = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
      const approval = await until('the approved refund has run', async () => {
        await fixture().api.admin.post(`/approvals/${approvalId}/approve`, {});
        const found = await expectData(fixture().api.admin.get<ApprovalRecord & { executedAt: string | null }>(`/approvals/${approvalId}`));
        return found.executedAt === null ? undefined : found;
      });
      expect(approval).toMatchObject({ status: 'approved', resultStatus: 200 });
      const refunded = async () =>
        (await expectData(fixture().api.admin.get<TransactionRecord>(`/transactions/${transactionId}`))).refundedAmount;
      expect(await refunded()).toBe(30);
    }
  },
);
