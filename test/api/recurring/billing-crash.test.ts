import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import type { SubscriptionRecord } from '../../support/customers.ts';
import { plansFromYesterday } from '../../support/plans.ts';
import { timeOutKilled } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { seededPlace } from '../../support/seeded.ts';
import { type Api, apiOf, DATABASES, expectData } from '../../support/server.ts';

/** PAYDESK_TEST_PLANS=10000 makes it the run of a whole month. */
const PLANS = Number(process.env.PAYDESK_TEST_PLANS ?? 600);
const KILLS = 3;
const PATIENCE_MS = 120_000 + PLANS * 20;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

async function place(database: 'sqlite' | 'postgres') {
  const made = await seededPlace(database);
  cleanUp.push(made.remove);
  return made;
}

const apiOfServer = (server: ServerProcess): Api => apiOf(server.baseUrl, server.credentials);

async function totalOf(api: Api, path: string): Promise<number> {
  const { body } = await api.admin.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`);
  return body.pagination.total;
}

async function until(check: () => Promise<boolean>, everyMs = 100): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!(await check())) {
    if (Date.now() > giveUpAt) throw new Error('it did not come to its end in time');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** How many sales the processor's own books have. */
async function chargedAtGateway(dataDir: string, url: string | undefined, tenantId: string): Promise<number> {
  const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
  const [row] = await ledger
    .read(tenantId)
    .all<{ n: number }>(
      "SELECT count(*) AS n FROM sandbox_ledger WHERE tenant_id = :tenantId AND operation = 'sale' AND amount_minor = 900",
    );
  await ledger.close();
  return Number(row?.n);
}

async function everySubscription(api: Api): Promise<SubscriptionRecord[]> {
  const all: SubscriptionRecord[] = [];
  for (let page = 1; all.length === (page - 1) * 200; page += 1)
    all.push(...(await expectData(api.admin.get<SubscriptionRecord[]>(`/recurring?limit=200&page=${page}`))));
  return all;
}

test.each(DATABASES)(
  'kill -9 in a billing run charges each due subscription exactly once (%s)',
  { timeout: 2 * PATIENCE_MS + PLANS * 20 },
  async (database) => {
    const { dataDir, url } = await place(database);
    const flags = ['--log-level', 'silent'];
    let server = await startServerProcess(dataDir, url, flags);
    const { tenantId } = server.credentials;
    const plansBefore = await totalOf(apiOfServer(server), '/recurring?status=active');
    await server.stop();
    const salesBefore = await chargedAtGateway(dataDir, url, tenantId);
    await plansFromYesterday(dataDir, url, tenantId, PLANS);
    const charged = async () => (await chargedAtGateway(dataDir, url, tenantId)) - salesBefore;
    const afterKill: number[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      server = await startServerProcess(dataDir, url, flags);
      // In the thick of it, each time a little further on.
      const enough = (PLANS * kill) / (KILLS + 2);
      await until(async () => (await charged()) > enough, 5);
      await server.kill();
      await timeOutKilled(url);
      afterKill.push(await charged());
    }
    // The first at least struck in the middle, however fast the machine is.
    expect(afterKill[0]).toBeGreaterThan(0);
    expect(afterKill[0]).toBeLessThan(PLANS);
    server = await startServerProcess(dataDir, url, flags);
    // A second station at the same queue.
    const second = url ? await startServerProcess(`${dataDir}/second`, url, [...flags, '--master-key', join(dataDir, 'master.key')]) : null;
    const api = apiOfServer(server);
    const paid = async () => (await everySubscription(api)).filter(({ amount, paymentsMade }) => amount === 9 && paymentsMade > 0).length;
    await until(async () => (await paid()) >= PLANS);
    const subscriptions = (await everySubscription(api)).filter(({ amount }) => amount === 9);
    expect(subscriptions.length).toBe(PLANS);
    expect(await totalOf(api, '/recurring?status=active')).toBe(plansBefore + PLANS);
    expect(new Set(subscriptions.map(({ status, paymentsMade }) => `${status} ${paymentsMade}`))).toEqual(new Set(['active 1']));
    // The processor's own books: nobody was charged twice, nobody left out.
    expect(await charged()).toBe(PLANS);
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
    await second?.stop();
    expect(await server.stop()).toBe(0);
  },
);
