import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import { compareBooks } from '#core/reporting';
import { pause, startMixedLoad } from '../../support/mixed-load.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData } from '../../support/server.ts';
import { hearChanges, type Stations, startStations } from '../../support/stations.ts';

const CLIENTS = 8;
/** An answer while the database is away: the longest that a connection is waited for, and what a busy machine adds. */
const BOUND_MS = 7_000;
const BACK_WITHIN_MS = 10_000;
/** Sooner than a station looks for itself what the others did: it was told. */
const SAID_WITHIN_MS = 5_000;
const STOPS_WITHIN_MS = 10_000;
/** Attempts that were under way are asked about once their answers were due. */
const DOUBT_ENDS_WITHIN_MS = 45_000;

let postgres: PostgresServer;
let stations: Stations;
beforeAll(async () => {
  // Killed, not cut from power: what it wrote without flushing is there when it comes back.
  postgres = await startPostgres(['-c', 'fsync=off', '-c', 'max_connections=100']);
  stations = await startStations(2, await postgres.createDatabase('outage'));
});
afterAll(async () => {
  // A station stops also where its database is gone.
  await postgres?.kill();
  const began = performance.now();
  await stations?.stop();
  expect(performance.now() - began).toBeLessThan(STOPS_WITHIN_MS);
  await postgres?.stop();
}, 60_000);

interface Health {
  status: string;
  database: { status: string };
}

const api = (index: number) => stations.apis[index] as Api;
const health = async (index: number): Promise<Health> => JSON.parse((await api(index).bare.get('/health')).text) as Health;

test('the database is killed under load: 503 soon, health says so, all goes on by itself, and nothing is lost or doubled', {
  timeout: 120_000,
}, async () => {
  const { credentials, baseUrl } = stations.servers[1] as (typeof stations.servers)[number];
  const { tenantId, adminEmail: email, adminPassword: password } = credentials ?? { tenantId: '', adminEmail: '', adminPassword: '' };
  const tenant = { 'X-Tenant-ID': tenantId };
  const { token } = await expectData(api(1).bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
  const changes = await hearChanges(baseUrl, { ...tenant, Authorization: `Bearer ${token}` });
  const before = await booked();
  await Promise.all(stations.apis.map(({ admin }) => expectData(admin.get('/auth/me'))));
  const anyStation = () => api(Math.random() < 0.5 ? 0 : 1);
  const load = startMixedLoad(CLIENTS, anyStation);
  await expect.poll(() => load.told.length, { timeout: 20_000 }).toBeGreaterThan(60);

  await postgres.kill();
  const answersBefore = load.answers.length;
  const began = performance.now();
  for (const index of [0, 1]) expect(await health(index)).toMatchObject({ status: 'degraded', database: { status: 'unavailable' } });
  expect(performance.now() - began).toBeLessThan(BOUND_MS);
  await pause(1_000);
  const refused = await api(0).admin.get('/transactions');
  expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  const during = load.answers.slice(answersBefore);
  expect(during.length).toBeGreaterThan(CLIENTS);
  expect(during.filter(({ status }) => status !== 503)).toEqual([]);
  expect(Math.max(...during.map(({ ms }) => ms))).toBeLessThan(BOUND_MS);

  await postgres.restart();
  const back = performance.now();
  for (const index of [0, 1])
    await expect.poll(() => health(index), { timeout: BACK_WITHIN_MS }).toMatchObject({ status: 'ok', database: { status: 'ok' } });
  const toldBefore = load.told.length;
  await expect.poll(() => load.told.length, { timeout: BACK_WITHIN_MS }).toBeGreaterThan(toldBefore + 20);
  expect(performance.now() - back).toBeLessThan(BACK_WITHIN_MS + 2_000);
  const unknown = await load.finish();
  await expect.poll(() => changes.heard.length, { timeout: SAID_WITHIN_MS }).toBeGreaterThan(0);
  changes.heard.length = 0;
  await expectData(api(0).admin.post<TransactionRecord>('/transactions', cardBody('9.01')));
  await expect.poll(() => changes.heard, { timeout: SAID_WITHIN_MS, interval: 20 }).toContain('transactions');
  changes.stop();

  await expect
    .poll(async () => (await api(0).admin.get('/transactions?status=pending')).body.pagination.total, {
      timeout: DOUBT_ENDS_WITHIN_MS,
      interval: 500,
    })
    .toBe(0);
  for (const { key, path, body, text } of load.told.slice(-40)) {
    const again = await anyStation().public.post(path, body, { 'Idempotency-Key': key });
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', text]);
  }
  const after = await booked();
  const sum = (of: (sale: (typeof load.sold)[number]) => number) => load.sold.reduce((total, sale) => total + of(sale), 0);
  expect(unknown).toBeLessThan(CLIENTS * 2);
  if (unknown === 0) {
    expect(after.sales - before.sales).toBe(load.sold.length + 1);
    expect(after.saleCents - before.saleCents).toBe(sum(({ amount }) => amount) + 901);
    expect(after.refundCents - before.refundCents).toBe(sum(({ refunded }) => refunded));
  }
  expect(await differences()).toEqual([]);
});

/** What the processor has on its own books. */
async function booked(): Promise<{ sales: number; saleCents: number; refundCents: number }> {
  const ledger = await openSandboxLedger({ url: stations.url });
  const [row] = await ledger
    .readAcrossTenants()
    .all<{ sales: number; sold: number; returned: number }>(
      "SELECT count(*) FILTER (WHERE operation = 'sale') AS sales, coalesce(sum(amount_minor) FILTER (WHERE operation = 'sale'), 0)::bigint AS sold, coalesce(sum(amount_minor) FILTER (WHERE operation = 'refund'), 0)::bigint AS returned FROM sandbox_ledger WHERE approved = 1",
    );
  await ledger.close();
  if (!row) throw new Error('a sum has a row');
  return { sales: row.sales, saleCents: row.sold, refundCents: row.returned };
}

async function differences() {
  const client = new Client({ connectionString: stations.url });
  await client.connect();
  return compareBooks({ all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] }).finally(() => client.end());
}
