// @module-tag full
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
  'runs an approved refund once or reports that nothing was done, if the server is killed at any time after the approval (%s)',
  { timeout: isSiege ? 600_000 : 120_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    let server = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
    cleanUp.push(() => server.kill());
    const { credentials } = server;
    // One surface per server, because sign-ins are limited.
    let api = apiOf(server.baseUrl, credentials);
    const fixture = (): ApiFixture => ({ database, baseUrl: server.baseUrl, credentials, api });
    await expectData(api.admin.put('/approvals/rules', { refundAbove: 10, personSeconds: 3_600, currentPassword: api.adminPassword }));
    const cashier = await createUser(fixture(), 'cashier');
    for (let round = 0; round < ROUNDS; round += 1) {
      const { transactionId } = await createSale(fixture(), 50);
      const refund = api.admin.post<Waiting>(`/transactions/${transactionId}/refund`, { amount: 30 }, cashier.headers);
      const { approvalId } = await expectData(refund, 202);
      const approving = api.admin.post(`/approvals/${approvalId}/approve`, {}).catch(() => null);
      for (let left = Math.floor(Math.random() * REQUESTS_MAX); left > 0; left -= 1) await api.bare.get('/health');
      await server.kill();
      await approving;
      await expireLeasesOfKilledServers(url);
      server = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
      api = apiOf(server.baseUrl, credentials);
      const approval = await until('the approved refund has run', async () => {
        await api.admin.post(`/approvals/${approvalId}/approve`, {});
        const found = await expectData(api.admin.get<ApprovalRecord & { executedAt: string | null }>(`/approvals/${approvalId}`));
        return found.executedAt === null ? undefined : found;
      });
      const { refundedAmount } = await expectData(api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
      // 503 if the server was killed before the gateway received the refund.
      const result = { resultStatus: approval.resultStatus, refundedAmount };
      expect([
        { resultStatus: 200, refundedAmount: 30 },
        { resultStatus: 503, refundedAmount: 0 },
      ]).toContainEqual(result);
    }
  },
);
