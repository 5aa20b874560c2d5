import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import { checkIntegrity } from '#core/reporting';
import { startMixedLoad } from '../../support/mixed-load.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData, sized } from '../../support/server.ts';
import { hearChanges, type Stations, startStations } from '../../support/stations.ts';
import { until } from '../../support/until.ts';

const CLIENTS = 8;
/** Requests that are answered before and after the outage. */
const ANSWERS = sized(24, 60);
/** Attempts that were under way are inquired about once their answers were due. */
const INQUIRY_WITHIN_MS = 45_000;

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
  await stations?.stop();
  await postgres?.stop();
}, 60_000);

interface Health {
  status: string;
  database: { status: string };
}

const api = (index: number) => stations.apis[index] as Api;
const health = async (index: number): Promise<Health> => JSON.parse((await api(index).bare.get('/health')).text) as Health;

test('while the database is down every request gets 503 and health is degraded; afterwards work continues without loss or double charge', {
  timeout: 120_000,
}, async () => {
  const { baseUrl } = stations.servers[1] as (typeof stations.servers)[number];
  const changes = await hearChanges(baseUrl, stations.headers);
  const before = await booked();
  await Promise.all(stations.apis.map(({ admin }) => expectData(admin.get('/auth/me'))));
  const anyStation = () => api(Math.random() < 0.5 ? 0 : 1);
  const load = startMixedLoad(CLIENTS, anyStation);
  await until('the load is under way', () => load.told.length > ANSWERS);

  await postgres.kill();
  const killedAt = performance.now();
  for (const index of [0, 1]) expect(await health(index)).toMatchObject({ status: 'degraded', database: { status: 'unavailable' } });
  const refused = await api(0).admin.get('/transactions');
  expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  // Requests do not wait for the database to return: every client is answered while it is down. A request that began before may still have succeeded.
  const during = () => load.answers.filter(({ beganAt }) => beganAt > killedAt);
  await until('every client was answered', () => during().length > CLIENTS);
  expect(during().filter(({ status }) => status !== 503)).toEqual([]);

  await postgres.restart();
  for (const index of [0, 1]) {
    await until('the station is healthy again', async () => (await health(index)).status === 'ok');
    expect(await health(index)).toMatchObject({ status: 'ok', database: { status: 'ok' } });
  }
  const toldBefore = load.told.length;
  await until('the load continues', () => load.told.length > toldBefore + ANSWERS / 3);
  const unknown = await load.finish();
  await until('the stations hear of changes again', () => changes.heard.length > 0);
  changes.heard.length = 0;
  await expectData(api(0).admin.post<TransactionRecord>('/transactions', cardBody('9.01')));
  await until('the other station hears of the sale', () => changes.heard.includes('transactions'));
  changes.stop();

  await until('no payment is pending', async () => (await api(0).admin.get('/transactions?status=pending')).body.pagination.total === 0, {
    withinMs: INQUIRY_WITHIN_MS,
    everyMs: 100,
  });
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
  return checkIntegrity({ all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] }).finally(() => client.end());
}
