import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkIntegrity } from '#core/books/reporting';
import { openSandboxLedger } from '#core/processing/gateways';
import { startMixedLoad } from '../../support/mixed-load.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { listenToChanges, startWorkstations, type Workstations } from '../../support/workstations.ts';

const CLIENTS = 8;
/** Number of requests before and after the outage. */
const ANSWERS = sized(24, 60);
/** Paydesk inquires about pending attempts once their responses were due. */
const INQUIRY_WITHIN_MS = 45_000;

let postgres: PostgresServer;
let stations: Workstations;
beforeAll(async () => {
  // Killed, but not by a power failure: data that was written without flushing still exists afterwards.
  postgres = await startPostgres(['-c', 'fsync=off', '-c', 'max_connections=100']);
  stations = await startWorkstations(2, await postgres.createDatabase('outage'));
});
afterAll(async () => {
  // A workstation can be stopped even if its database is unavailable.
  await postgres?.kill();
  await stations?.stop();
  await postgres?.stop();
}, 60_000);

interface Health {
  status: string;
  database: { status: string };
}

const api = (index: number) => stations.apis[index] as Api;
const health = async (index: number): Promise<Health> => JSON.parse((await api(index).bare.get('/health')).text) as Health;

test('answers 503 and reports degraded health while the database is down, then continues without loss or double charge', {
  timeout: 120_000,
}, async () => {
  const { baseUrl } = stations.servers[1] as (typeof stations.servers)[number];
  const changes = await listenToChanges(baseUrl, stations.headers);
  const before = await booked();
  await Promise.all(stations.apis.map(({ admin }) => expectData(admin.get('/auth/me'))));
  const anyStation = () => api(Math.random() < 0.5 ? 0 : 1);
  const load = startMixedLoad(CLIENTS, anyStation);
  await until('the load is under way', () => load.answered.length > ANSWERS);

  await postgres.kill();
  const killedAt = performance.now();
  for (const index of [0, 1]) expect(await health(index)).toMatchObject({ status: 'degraded', database: { status: 'unavailable' } });
  // No credential can be checked without the database, so everyone gets the same answer, and it contains nothing of an account.
  const [reach, unknownCaller] = await Promise.all([
    api(0).public.get('/system/connectivity'),
    api(0).bare.get('/api/v1/system/connectivity'),
  ]);
  expect(reach).toMatchObject({ status: 200, body: { data: { state: 'database-down', merchantId: null, gateways: [] } } });
  expect(unknownCaller.text).toBe(reach.text);
  const refused = await api(0).admin.get('/transactions');
  expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  // Requests do not wait for the return of the database: every client gets a response while it is down. A request that started before may still succeed.
  const during = () => load.answers.filter(({ beganAt }) => beganAt > killedAt);
  await until('every client was answered', () => during().length > CLIENTS);
  expect(during().filter(({ status }) => status !== 503)).toEqual([]);

  await postgres.restart();
  for (const index of [0, 1]) {
    const healthy = await until('the station is healthy again', async () => {
      const now = await health(index);
      return now.status === 'ok' && now;
    });
    expect(healthy).toMatchObject({ database: { status: 'ok' } });
  }
  const toldBefore = load.answered.length;
  await until('the load continues', () => load.answered.length > toldBefore + ANSWERS / 3);
  const unknown = await load.finish();
  await until('the stations hear of changes again', () => changes.received.length > 0);
  changes.received.length = 0;
  await expectData(api(0).admin.post<TransactionRecord>('/transactions', cardBody('9.01')));
  await until('the other server is notified of the sale', () => changes.received.includes('transactions'));
  changes.stop();

  await until('no payment is pending', async () => (await api(0).admin.get('/transactions?status=pending')).body.pagination.total === 0, {
    withinMs: INQUIRY_WITHIN_MS,
    everyMs: 100,
  });
  for (const { key, path, body, text } of load.answered.slice(-40)) {
    const again = await anyStation().public.post(path, body, { 'Idempotency-Key': key });
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', text]);
  }
  const after = await booked();
  const sum = (amountOf: (sale: (typeof load.sales)[number]) => number) => load.sales.reduce((total, sale) => total + amountOf(sale), 0);
  expect(unknown).toBeLessThan(CLIENTS * 2);
  if (unknown === 0) {
    expect(after.sales - before.sales).toBe(load.sales.length + 1);
    expect(after.saleCents - before.saleCents).toBe(sum(({ amount }) => amount) + 901);
    expect(after.refundCents - before.refundCents).toBe(sum(({ refunded }) => refunded));
  }
  expect(await differences()).toEqual([]);
});

/** Returns the contents of the processor's ledger. */
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
  return checkIntegrity({ all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] }).finally(() => client.end());
}
