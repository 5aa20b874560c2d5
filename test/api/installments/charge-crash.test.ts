import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { CARDS } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, FULL, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const PLANS = sized(60, 120);
const WITHIN_MS = 60_000 + PLANS * 1_000;
const WEEK_SECONDS = 7 * 86_400;
/** Amounts that no sample data has. */
const FIRST_CENTS = 410_317;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'charges each due installment exactly once despite a kill -9 in the middle of the charges (%s)',
  { timeout: 3 * WITHIN_MS, ...FULL },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const first = await startServerProcess(dataDir, url);
    const { credentials } = first;
    const api = apiOf(first.baseUrl, credentials);
    const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Pier', timezone: 'UTC' }), 201);
    const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', { lastName: 'Marsh', merchantId }), 201);
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2039' };
    await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { card, consentText: 'Charge the installments.' }), 201);
    const plans: string[] = [];
    for (let n = 0; n < PLANS; n += 1) {
      const invoice = { customerId, amount: (2 * (FIRST_CENTS + n)) / 100, merchantId };
      const body = { invoice, count: 2, interval: 'weekly' };
      plans.push((await expectData(api.admin.post<{ installmentPlanId: string }>('/installment-plans', body), 201)).installmentPlanId);
    }
    const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
    cleanUp.push(() => ledger.close());
    /** Amounts of the plans that the processor has charged, in cents. */
    const charged = async () => {
      const sales = await ledger
        .read(credentials.tenantId)
        .all<{ amount_minor: number }>(
          `SELECT amount_minor FROM sandbox_ledger WHERE tenant_id = :tenantId AND operation = 'sale' AND amount_minor >= ${FIRST_CENTS} AND amount_minor < ${FIRST_CENTS + PLANS}`,
        );
      return sales.map(({ amount_minor }) => Number(amount_minor)).sort((left, right) => left - right);
    };
    const before = await charged();

    // The second installments are due, and the server is killed while it charges them.
    const moving = api.admin.post('/sandbox/clock', { advanceSeconds: WEEK_SECONDS }).catch(() => undefined);
    await until('a part of the installments is charged', async () => (await charged()).length > before.length, {
      withinMs: WITHIN_MS,
      everyMs: 1,
    });
    await first.kill();
    await moving;
    await expireLeasesOfKilledServers(url);
    expect((await charged()).length).toBeLessThan(before.length + PLANS);

    const second = await startServerProcess(dataDir, url);
    cleanUp.push(() => second.stop());
    const after = apiOf(second.baseUrl, second.credentials);
    const statuses = () =>
      Promise.all(plans.map(async (id) => (await expectData(after.admin.get<{ status: string }>(`/installment-plans/${id}`))).status));
    // The clock may have been stopped by the kill before it reached the due date of all plans.
    await expectData(after.admin.post('/sandbox/clock', { advanceSeconds: WEEK_SECONDS }));
    await until('every plan is completed', async () => (await statuses()).every((status) => status === 'completed'), {
      withinMs: WITHIN_MS,
      everyMs: 100,
    });
    const added = Array.from({ length: PLANS }, (_, n) => FIRST_CENTS + n);
    expect(await charged()).toEqual([...before, ...added].sort((left, right) => left - right));
    expect(await expectData(after.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);

/** Stops a server of a SQLite file without end when it records the outcome of a payment on an invoice. */
const HOLD = `
  CREATE VIEW endless AS WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter) SELECT n FROM counter;
  CREATE TRIGGER hold BEFORE UPDATE ON invoice_payments BEGIN SELECT count(*) FROM endless; END`;

test('gives a repeated request its plan after a kill -9 between the approval of the first installment and its record on the invoice', async () => {
  const { dataDir, remove } = await createSampleInstallation('sqlite');
  cleanUp.push(remove);
  const file = join(dataDir, 'paydesk.sqlite');
  const first = await startServerProcess(dataDir);
  const api = apiOf(first.baseUrl, first.credentials);
  const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', { lastName: 'Marsh' }), 201);
  const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2039' };
  await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { card, consentText: 'Charge the installments.' }), 201);
  const ledger = new BetterSqlite3(join(dataDir, 'sandbox-gateway.sqlite'), { readonly: true });
  cleanUp.push(async () => void ledger.close());
  const sales = ledger.prepare(`SELECT count(*) FROM sandbox_ledger WHERE operation = 'sale' AND amount_minor = ${FIRST_CENTS}`).pluck();
  const charges = () => Number(sales.get());
  const before = charges();
  const handle = new BetterSqlite3(file);
  handle.exec(HOLD);

  const body = { invoice: { customerId, amount: (2 * FIRST_CENTS) / 100 }, count: 2, interval: 'weekly' };
  const key = { 'Idempotency-Key': 'plan-of-marsh' };
  const cut = api.admin.post('/installment-plans', body, key).catch(() => null);
  const approved = handle.prepare(
    "SELECT 1 FROM installment_plans p JOIN attempts a ON a.transaction_id = p.pending_transaction WHERE a.state = 'done' AND a.result = 'approved'",
  );
  await until('the first installment is approved and not on the invoice', () => approved.get() !== undefined);
  await first.kill();
  expect(await cut).toBeNull();
  expect(charges()).toBe(before + 1);
  handle.exec('DROP TRIGGER hold; DROP VIEW endless');
  handle.close();

  const second = await startServerProcess(dataDir);
  cleanUp.push(() => second.stop());
  const after = apiOf(second.baseUrl, second.credentials);
  const repeated = await until('the repeated request is not running any more', async () => {
    const answer = await after.admin.post<{ installmentPlanId: string }>('/installment-plans', body, key);
    return answer.status === 409 ? undefined : answer;
  });
  expect(repeated.status).toBe(201);
  const plans = await expectData(
    after.admin.get<{ installmentPlanId: string; installments: readonly { status: string }[] }[]>(
      `/installment-plans?customerId=${customerId}`,
    ),
  );
  expect(plans.map(({ installmentPlanId }) => installmentPlanId)).toEqual([repeated.body.data.installmentPlanId]);
  expect(plans[0]?.installments.map(({ status }) => status)).toEqual(['paid', 'scheduled']);
  expect(charges()).toBe(before + 1);
});
