import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import type { SubscriptionRecord } from '../../support/customers.ts';
import { createDueSubscriptions } from '../../support/due-subscriptions.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { launchServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

/** PAYDESK_TEST_PLANS=10000 bills the subscriptions of a large merchant. */
const PLANS = Number(process.env.PAYDESK_TEST_PLANS ?? sized(60, 600));
const KILLS = sized(1, 3);
const WITHIN_MS = 60_000 + PLANS * 40;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

async function totalOf(api: Api, path: string): Promise<number> {
  const { body } = await api.admin.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`);
  return body.pagination.total;
}

/** Opens the processor's ledger. Returns a function that counts the sales of a tenant with the amount of the subscriptions. */
async function openBooks(dataDir: string, url: string | undefined, tenantId: string): Promise<() => Promise<number>> {
  const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
  cleanUp.push(() => ledger.close());
  return async () => {
    const [row] = await ledger
      .read(tenantId)
      .all<{ n: number }>(
        "SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND operation = 'sale' AND amount_minor = 900",
      );
    return Number(row?.n);
  };
}

async function everySubscription(api: Api): Promise<SubscriptionRecord[]> {
  const all: SubscriptionRecord[] = [];
  for (let page = 1; all.length === (page - 1) * 200; page += 1)
    all.push(...(await expectData(api.admin.get<SubscriptionRecord[]>(`/recurring?limit=200&page=${page}`))));
  return all;
}

test.each(ANY_DATABASE)(
  'charges each due subscription exactly once despite a kill -9 in a billing run (%s)',
  {
    timeout: 3 * WITHIN_MS,
  },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const start = (folder = dataDir) =>
      startServer({
        dataDir: folder,
        masterKey: join(dataDir, 'master.key'),
        databaseUrl: url,
        port: 0,
        demo: true,
        logLevel: 'silent',
      });
    const first = await start();
    const { credentials } = first;
    if (!credentials) throw new Error('A server with --demo has credentials.');
    const plansBefore = await totalOf(apiOf(first.baseUrl, credentials), '/recurring?status=active');
    await first.close();
    const sales = await openBooks(dataDir, url, credentials.tenantId);
    const salesBefore = await sales();
    const charged = async () => (await sales()) - salesBefore;
    await createDueSubscriptions(dataDir, url, credentials.tenantId, PLANS);
    expect(await charged()).toBe(0);
    const afterKill: number[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // Billing starts before the server is ready to answer.
      const server = await launchServerProcess(dataDir, url, ['--log-level', 'silent']);
      const enough = (PLANS * (kill - 1)) / (KILLS + 1);
      await until('a part of the subscriptions is charged', async () => (await charged()) > enough, { withinMs: WITHIN_MS, everyMs: 1 });
      await server.kill();
      await expireLeasesOfKilledServers(url);
      afterKill.push(await charged());
    }
    // At least the first kill occurs in the middle of the run, however fast the computer is.
    expect(afterKill[0]).toBeGreaterThan(0);
    expect(afterKill[0]).toBeLessThan(PLANS);
    const server = await start();
    cleanUp.push(() => server.close());
    if (url) {
      // A second workstation works on the same queue.
      const second = await start(join(dataDir, 'second'));
      cleanUp.push(() => second.close());
    }
    const api = apiOf(server.baseUrl, credentials);
    const due = async () => (await everySubscription(api)).filter(({ amount }) => amount === 9);
    await until('every subscription is charged', async () => (await charged()) >= PLANS, { withinMs: WITHIN_MS });
    await until('every payment is recorded', async () => (await due()).filter(({ paymentsMade }) => paymentsMade > 0).length >= PLANS, {
      withinMs: WITHIN_MS,
      everyMs: 100,
    });
    const subscriptions = await due();
    expect(subscriptions.length).toBe(PLANS);
    expect(await totalOf(api, '/recurring?status=active')).toBe(plansBefore + PLANS);
    expect(new Set(subscriptions.map(({ status, paymentsMade }) => `${status} ${paymentsMade}`))).toEqual(new Set(['active 1']));
    // According to the processor's ledger, no subscription was charged twice and none was omitted.
    expect(await charged()).toBe(PLANS);
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
