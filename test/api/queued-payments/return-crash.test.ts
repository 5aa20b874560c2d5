import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createCustomerToChargeLater } from '../../support/queued-payments.ts';
import { CARDS, cardBody } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, expectError, sized } from '../../support/server.ts';
import { storedData } from '../../support/stored-data.ts';
import { until } from '../../support/until.ts';

/** Payments that are queued during the outage. */
const QUEUED = sized(32, 100);
/** Sales in cash, refused card sales and payment links during the outage. */
const OTHERS = sized(4, 25);
const WITHIN_MS = 60_000 + QUEUED * 1_000;
const FIRST_CENTS = 10_01;
/** Time for which the gateway must answer before the outage counts as ended. */
const HOLD_SECONDS = 10;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'charges what was queued in an hour without a gateway once and in order, despite a kill -9 in the middle of the return (%s)',
  { timeout: 3 * WITHIN_MS },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const first = await startServerProcess(dataDir, url);
    const { credentials } = first;
    const api = apiOf(first.baseUrl, credentials);
    const { merchantId } = credentials;
    const customerId = await createCustomerToChargeLater(api, merchantId);
    await expectData(api.admin.post('/shifts/open', { drawer: 'Outage', amount: 100, merchantId }), 201);

    const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
    cleanUp.push(() => ledger.close());
    const salesOf = () =>
      ledger
        .read(credentials.tenantId)
        .all<{ processor_ref: string; amount_minor: number }>(
          "SELECT processor_ref, amount_minor FROM sandbox_ledger WHERE tenant_id = :tenantId AND operation = 'sale' ORDER BY at, amount_minor",
        );
    const earlier = new Set((await salesOf()).map(({ processor_ref }) => processor_ref));
    /** Amounts that the processor has charged since the outage began, in the order of their charges. */
    const charged = async () =>
      (await salesOf()).filter(({ processor_ref }) => !earlier.has(processor_ref)).map(({ amount_minor }) => amount_minor / 100);

    await expectData(api.admin.post('/sandbox/gateway', { mode: 'down' }));
    const queued: number[] = [];
    const queueAll = async () => {
      for (let n = 0; n < QUEUED; n += 1) {
        const amount = (FIRST_CENTS + n) / 100;
        await expectData(api.admin.post('/queued-payments', { customerId, amount }), 201);
        queued.push(amount);
      }
    };
    const sellOtherwise = async () => {
      for (let n = 0; n < OTHERS; n += 1) {
        await expectData(api.admin.post('/tenders', { kind: 'cash', amount: 7, drawer: 'Outage', merchantId }), 201);
        await expectError(api.admin.post('/transactions', cardBody((90_01 + n) / 100)), 503, 'GATEWAY_UNAVAILABLE');
        await expectData(api.public.post('/generate-url', { amount: 20 + n }), 201);
      }
    };
    await Promise.all([queueAll(), sellOtherwise()]);
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 3_600 }));

    expect(await charged()).toEqual([]);

    // The gateway returns, and the server is killed while the queue leaves.
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    const moving = api.admin.post('/sandbox/clock', { advanceSeconds: HOLD_SECONDS }).catch(() => undefined);
    await until('a part of the queue is charged', async () => (await charged()).length > 0, { withinMs: WITHIN_MS, everyMs: 1 });
    await first.kill();
    await moving;
    await expireLeasesOfKilledServers(url);
    const atKill = (await charged()).length;
    expect(atKill).toBeLessThan(QUEUED);

    const second = await startServerProcess(dataDir, url);
    cleanUp.push(() => second.stop());
    const after = apiOf(second.baseUrl, second.credentials);
    const states = async () => {
      const found = await expectData(after.admin.get<{ status: string }[]>(`/queued-payments?merchantId=${merchantId}&limit=200`));
      return found.map(({ status }) => status);
    };
    await until('the whole queue is paid', async () => (await states()).every((status) => status === 'paid'), {
      withinMs: WITHIN_MS,
      everyMs: 100,
    });
    const order = await charged();
    expect(order.toSorted((left, right) => left - right)).toEqual(queued);
    // Only the payment that was on its way when the server was killed may leave after others.
    const inTime = (amount: number) => amount !== queued[atKill];
    expect(order.filter(inTime)).toEqual(queued.filter(inTime));
    const drawer = await expectData(
      after.admin.get<{ shift: { expectedAmount: number } }>(`/shifts/current?merchantId=${merchantId}&drawer=Outage`),
    );
    expect(drawer.shift.expectedAmount).toBe(100 + OTHERS * 7);
    expect(await storedData(dataDir, url)).not.toContain(CARDS.visa);
    expect(await expectData(after.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
