import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import { checkIntegrity } from '#core/reporting';
import { startMixedLoad } from '../../support/mixed-load.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { type PostgresStandby, queryServer, startStandby } from '../../support/postgres-standby.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData, expectError, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { startWorkstations, type Workstations } from '../../support/workstations.ts';

const CLIENTS = 8;
/** Number of requests before and after the failover. */
const ANSWERS = sized(24, 200);
/** Paydesk inquires about pending attempts once their responses were due. */
const INQUIRY_WITHIN_MS = 45_000;

let primary: PostgresServer;
let standby: PostgresStandby;
let workstations: Workstations;
beforeAll(async () => {
  primary = await startPostgres(['-c', 'fsync=off', '-c', 'max_connections=100']);
  await primary.createDatabase('failover');
  standby = await startStandby(primary.url, { isSynchronous: true });
  const hosts = [primary.url, standby.url].map((url) => new URL(url).host);
  workstations = await startWorkstations(
    2,
    `${primary.url.replace(/@.*/, `@${hosts.join(',')}`)}/failover?target_session_attrs=read-write`,
  );
});
afterAll(async () => {
  await workstations?.stop();
  await standby?.stop();
  await primary?.stop();
}, 60_000);

interface Health {
  status: string;
  database: { status: string };
  problems: string[];
}

const api = (index: number) => workstations.apis[index] as Api;
const anyApi = () => api(Math.random() < 0.5 ? 0 : 1);
const health = async (index: number): Promise<Health> => JSON.parse((await api(index).bare.get('/health')).text) as Health;
const isHealthy = (index: number) => async () => (await health(index)).status === 'ok';
const pending = async () => (await api(0).admin.get('/transactions?status=pending')).body.pagination.total;

test('continues sales after the primary is killed, without losing or repeating one', { timeout: 150_000 }, async () => {
  const before = await booked();
  const load = startMixedLoad(CLIENTS, anyApi);
  await until('the load is under way', () => load.answered.length > ANSWERS);

  await primary.kill();
  const killedAt = performance.now();
  for (const index of [0, 1]) expect(await health(index)).toMatchObject({ status: 'degraded', database: { status: 'unavailable' } });
  const promotedAt = performance.now();
  await standby.promote();
  const answeredBefore = load.answered.length;
  await until('the load continues', () => load.answered.length > answeredBefore);
  const continuedAt = performance.now();
  for (const index of [0, 1]) await until('the server is healthy again', isHealthy(index));
  await until('the load is back to normal', () => load.answered.length > answeredBefore + ANSWERS);
  const unknown = await load.finish();
  const codes = [...new Set(load.answers.filter(({ beganAt, status }) => beganAt > killedAt && status >= 400).map(({ status }) => status))];
  console.info(
    `${load.sales.length} sales; answers ${Math.round(continuedAt - killedAt)} ms after the kill, ${Math.round(continuedAt - promotedAt)} ms after the promotion began; unknown ${unknown}; codes ${codes.join(', ')}`,
  );
  // Errors are due to the outage, or to a repeated request whose first copy is still running.
  expect(codes.filter((status) => ![409, 502, 503].includes(status))).toEqual([]);

  await until('no payment is pending', async () => (await pending()) === 0, { withinMs: INQUIRY_WITHIN_MS, everyMs: 100 });
  for (const { key, path, body, text } of load.answered.slice(-40)) {
    const again = await anyApi().public.post(path, body, { 'Idempotency-Key': key });
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', text]);
  }
  const after = await booked();
  const sum = (amountOf: (sale: (typeof load.sales)[number]) => number) => load.sales.reduce((total, sale) => total + amountOf(sale), 0);
  if (unknown === 0) {
    expect(after.sales - before.sales).toBe(load.sales.length);
    expect(after.saleCents - before.saleCents).toBe(sum(({ amount }) => amount));
    expect(after.refundCents - before.refundCents).toBe(sum(({ refunded }) => refunded));
  }
  expect(await differences()).toEqual([]);
});

test('answers 503 while PostgreSQL is read-only, and makes the sale once afterwards', async () => {
  const before = await booked();
  const key = { 'Idempotency-Key': `read-only-${Math.random()}` };
  const setReadOnly = async (value: 'on' | 'off') => {
    await queryServer(standby.url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`).catch(async () => {
      // A read-only session can still change the setting of its own transaction.
      await queryServer(standby.url, `SET default_transaction_read_only = off; ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    });
    await queryServer(standby.url, 'SELECT pg_reload_conf()');
  };
  await setReadOnly('on');
  await until('health shows it', async () => (await health(0)).status === 'degraded');
  expect(await health(0)).toMatchObject({ database: { status: 'unavailable' }, problems: [expect.stringContaining('read-only')] });
  for (const index of [0, 1]) {
    const error = await expectError(api(index).admin.post('/transactions', cardBody(17), key), 503, 'SERVICE_UNAVAILABLE');
    expect(error).toMatchObject({ message: expect.stringContaining('read-only'), details: { reason: 'read-only' } });
  }
  await setReadOnly('off');
  for (const index of [0, 1]) await until('the server is healthy again', isHealthy(index));
  const first = await expectData(api(0).admin.post<TransactionRecord>('/transactions', cardBody(17), key));
  const second = await expectData(api(1).admin.post<TransactionRecord>('/transactions', cardBody(17), key));
  expect(second).toEqual(first);
  const after = await booked();
  expect([after.sales - before.sales, after.saleCents - before.saleCents]).toEqual([1, 1_700]);
});

/** Returns the totals of the processor's ledger. */
async function booked(): Promise<{ sales: number; saleCents: number; refundCents: number }> {
  const ledger = await openSandboxLedger({ url: workstations.url });
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
  const client = new Client({ connectionString: `${standby.url}/failover` });
  await client.connect();
  return checkIntegrity({ all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] }).finally(() => client.end());
}
