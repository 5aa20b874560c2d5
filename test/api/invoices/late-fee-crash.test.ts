import { afterAll, expect, test } from 'vitest';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const INVOICES = sized(40, 120);
const DAY_MS = 86_400_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

interface LateFees {
  readonly charged: readonly { readonly period: number; readonly amount: number }[];
}

const feesOf = (api: Api, ids: readonly string[]) =>
  Promise.all(ids.map((id) => expectData(api.admin.get<LateFees>(`/invoices/${id}/late-fees`))));

test.each(ANY_DATABASE)(
  'charges each invoice exactly once after a kill -9 while late fees are charged (%s)',
  { timeout: 240_000 },
  async (database) => {
    const made = await createSampleInstallation(database);
    cleanUp.push(made.remove);
    const killed = await startServerProcess(made.dataDir, made.url, ['--log-level', 'silent']);
    const before = apiOf(killed.baseUrl, killed.credentials);
    const { merchantId } = await expectData(
      before.admin.post<{ merchantId: string }>('/merchants', { name: 'Killed', timezone: 'UTC' }),
      201,
    );
    const settings = { enabled: true, kind: 'percent', percent: 10, graceDays: 0, repeat: 'never', ceilingPercent: 50 };
    await expectData(before.admin.put(`/merchants/${merchantId}/late-fee-settings`, settings));
    const { now } = await expectData(before.admin.get<{ now: string }>('/sandbox/clock'));
    const dayAfter = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10);
    const domain = '@killed.example';
    const ids = await Promise.all(
      Array.from({ length: INVOICES }, async (_, nth) => {
        // Other addresses keep within the limits of messages to one address.
        const customer = { merchantId, firstName: 'Kill', lastName: 'Nine', email: `customer${nth}${domain}` };
        const { customerId } = await expectData(before.admin.post<{ customerId: string }>('/customers', customer), 201);
        const body = { customerId, amount: 10, dueDate: dayAfter(1) };
        const { invoiceId } = await expectData(before.admin.post<{ invoiceId: string }>('/invoices', body), 201);
        await expectData(before.admin.post(`/invoices/${invoiceId}/send`, {}));
        return invoiceId;
      }),
    );
    const clock = { now: `${dayAfter(2)}T06:00:30Z` };
    const moving = before.admin.post('/sandbox/clock', clock).catch(() => undefined);
    const charged = async () => (await feesOf(before, ids)).filter((fees) => fees.charged.length > 0).length;
    await until('some fees are charged', async () => (await charged()) > INVOICES / 8);
    await killed.kill();
    await moving;
    await expireLeasesOfKilledServers(made.url);
    const server = await startServer({ dataDir: made.dataDir, databaseUrl: made.url, port: 0, demo: true, logLevel: 'silent' });
    cleanUp.push(() => server.close());
    if (!server.credentials) throw new Error('A server with --demo has credentials.');
    const api = apiOf(server.baseUrl, server.credentials);
    await api.admin.post('/sandbox/clock', clock);
    await until('each invoice is charged', async () => (await feesOf(api, ids)).every((fees) => fees.charged.length === 1));
    await expectData(api.admin.post('/sandbox/clock', { now: `${dayAfter(6)}T12:00:00Z` }));
    for (const { charged: all } of await feesOf(api, ids)) expect(all).toMatchObject([{ period: 1, amount: 1 }]);
    const invoices = await Promise.all(ids.map((id) => expectData(api.admin.get<{ amount: number; items: object[] }>(`/invoices/${id}`))));
    expect(invoices.map(({ amount, items }) => [amount, items.length])).toEqual(ids.map(() => [11, 2]));
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
