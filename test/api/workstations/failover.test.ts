// @module-tag full
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkIntegrity } from '#core/books/reporting';
import { openSandboxLedger } from '#core/processing/gateways';
import { type FakePatroni, startFakePatroni } from '../../support/fake-patroni.ts';
import { freePort } from '../../support/free-port.ts';
import { startMixedLoad } from '../../support/mixed-load.ts';
import { type PostgresPair, startPair } from '../../support/postgres-pair.ts';
import { queryServer } from '../../support/postgres-standby.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData, expectError, sized } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { listenToChanges, startWorkstations, type Workstations } from '../../support/workstations.ts';

const SERVERS = [0, 1, 2] as const;
const CLIENTS = 9;
/** Number of requests before and after the failover. */
const ANSWERS = sized(24, 200);
/** PAYDESK_SOAK_SECONDS repeats the failovers for that time. */
const SOAK_MS = Number(process.env.PAYDESK_SOAK_SECONDS ?? 0) * 1_000;
/** Paydesk inquires about pending attempts once their responses were due. */
const INQUIRY_WITHIN_MS = 45_000;
/** Lease of a delivery that a request of a lost connection may hold. */
const DELIVERED_WITHIN_MS = 60_000;

let pair: PostgresPair;
let workstations: Workstations;
let receiver: Receiver;
beforeAll(async () => {
  pair = await startPair('failover');
  receiver = await startReceiver();
  workstations = await startWorkstations(SERVERS.length, pair.addressOf('failover'));
  await expectData(api(0).admin.post('/webhooks', { url: receiver.url(), events: ['transaction.approved', 'refund.processed'] }), 201);
});
afterAll(async () => {
  await workstations?.stop();
  await receiver?.stop();
  await pair?.stop();
}, 60_000);

interface Health {
  status: string;
  database: { status: string };
  problems: string[];
}

const api = (index: number) => workstations.apis[index] as Api;
const anyApi = () => api(Math.floor(Math.random() * SERVERS.length));
const health = async (index: number): Promise<Health> => JSON.parse((await api(index).bare.get('/health')).text) as Health;
const isHealthy = (index: number) => async () => (await health(index)).status === 'ok';
const pending = async () => (await api(0).admin.get('/transactions?status=pending')).body.pagination.total;
const replication = async () =>
  (await expectData(api(0).admin.get<{ items: { name: string; state: string; message: string }[] }>('/system/status'))).items.find(
    ({ name }) => name === 'replication',
  );

interface Certificate {
  rehearsalId: string;
  auditId: string;
  actor: string;
  result: string;
  reason: string | null;
  acknowledged: number;
  gapMs: number | null;
  lost: number | null;
  doubled: number | null;
  fromTimeline: number;
  toTimeline: number | null;
}
interface Overview {
  running: { rehearsalId: string; phase: string; command: string | null } | null;
  certificates: Certificate[];
}

const baseUrlOf = (index: number) => workstations.servers[index]?.baseUrl ?? '';

/** Sends a request about the rehearsals to a server: POST starts one, and DELETE stops it. */
async function rehearse<Data = NonNullable<Overview['running']>>(method: 'GET' | 'POST' | 'DELETE', baseUrl: string) {
  const response = await fetch(`${baseUrl}/api/v1/system/failover-rehearsal`, { method, headers: workstations.headers });
  const body = (await response.json()) as { data: Data; error: { details: unknown } };
  return { status: response.status, ...body };
}

/** Waits for the certificate of a rehearsal. */
const certificateOf = (baseUrl: string, id: string): Promise<Certificate> =>
  until(
    'the rehearsal has ended',
    async () => {
      const { status, data } = await rehearse<Overview>('GET', baseUrl);
      return status === 200 && data.running === null && data.certificates.find(({ rehearsalId }) => rehearsalId === id);
    },
    { withinMs: INQUIRY_WITHIN_MS, everyMs: 100 },
  );

/** Fails the primary in a way, under load, and checks the records, the webhooks and the screens afterwards. */
async function failOver(failure: 'killed' | 'frozen'): Promise<void> {
  const before = await booked();
  const screens = await listenToChanges(workstations.servers[2]?.baseUrl ?? '', workstations.headers);
  const load = startMixedLoad(CLIENTS, anyApi);
  await until('the load is under way', () => load.answered.length > ANSWERS);

  await (failure === 'killed' ? pair.kill() : pair.suspend());
  const failedAt = performance.now();
  if (failure === 'killed')
    for (const index of SERVERS) expect(await health(index)).toMatchObject({ status: 'degraded', database: { status: 'unavailable' } });
  await pair.promote();
  const answeredBefore = load.answered.length;
  await until('the load continues', () => load.answered.length > answeredBefore, { withinMs: INQUIRY_WITHIN_MS });
  const gapMs = performance.now() - failedAt;
  for (const index of SERVERS) await until('the server is healthy again', isHealthy(index));
  if (failure === 'frozen') {
    await pair.resumeFormer();
    await expectNoCommits();
  }
  await until('the load is back to normal', () => load.answered.length > answeredBefore + ANSWERS, { withinMs: INQUIRY_WITHIN_MS });
  const unknown = await load.finish();
  const codes = [...new Set(load.answers.filter(({ beganAt, status }) => beganAt > failedAt && status >= 400).map(({ status }) => status))];
  console.info(
    `primary ${failure}: ${load.sales.length} sales; the next answer came ${Math.round(gapMs)} ms later; unknown ${unknown}; codes ${codes.join(', ')}`,
  );
  // Errors are due to the outage, or to a repeated request whose first copy is still running.
  expect(codes.filter((status) => ![409, 502, 503].includes(status))).toEqual([]);

  await until('no payment is pending', async () => (await pending()) === 0, { withinMs: INQUIRY_WITHIN_MS, everyMs: 100 });
  for (const { key, path, body, text } of load.answered.slice(-40)) {
    const again = await anyApi().public.post(path, body, { 'Idempotency-Key': key });
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', text]);
  }
  for (const { transactionId, amount, refunded } of load.sales.filter((_, index) => index % 3 === 0)) {
    const record = await expectData(anyApi().public.get<TransactionRecord>(`/transaction/${transactionId}`));
    expect([record.amount, record.refundedAmount].map((sum) => Math.round(sum * 100))).toEqual([amount, refunded]);
  }
  const after = await booked();
  const sum = (amountOf: (sale: (typeof load.sales)[number]) => number) => load.sales.reduce((total, sale) => total + amountOf(sale), 0);
  // A payment without a response is made at most once; the shop does not know if.
  expect(after.sales - before.sales).toBeGreaterThanOrEqual(load.sales.length);
  expect(after.sales - before.sales).toBeLessThanOrEqual(load.sales.length + unknown);
  if (unknown === 0) {
    expect(after.saleCents - before.saleCents).toBe(sum(({ amount }) => amount));
    expect(after.refundCents - before.refundCents).toBe(sum(({ refunded }) => refunded));
  }
  expect(await differences()).toEqual([]);
  expect(await expectData(api(0).admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });

  // The scheduler delivers every event, those of one payment in order.
  const typesOf = (id: string) => [
    ...new Set(receiver.received.filter(({ event }) => event.data.transactionId === id).map(({ event }) => event.type)),
  ];
  const expected = ({ refunded }: { refunded: number }) => ['transaction.approved', ...(refunded > 0 ? ['refund.processed'] : [])];
  await until('every change is published', () => load.sales.every((sale) => typesOf(sale.transactionId).length === expected(sale).length), {
    withinMs: DELIVERED_WITHIN_MS,
    everyMs: 100,
  });
  for (const sale of load.sales) expect(typesOf(sale.transactionId)).toEqual(expected(sale));
  // A screen at one server shows a sale of another.
  screens.received.length = 0;
  await expectData(api(0).admin.post('/transactions', cardBody(3)));
  await until('the screen receives the sale', () => screens.received.includes('transactions'));
  screens.stop();
}

/** Checks that the woken former primary acknowledges nothing: its commits wait for a standby that has left. */
async function expectNoCommits(): Promise<void> {
  const formerUrl = pair.formerUrl;
  const database = `${formerUrl}/failover`;
  const clients = await Promise.all(
    SERVERS.map(async () => {
      const client = new Client({ connectionString: database });
      client.on('error', () => {});
      await client.connect();
      return client;
    }),
  );
  const outcomes: string[] = [];
  const commits = clients.map((client, index) =>
    client.query(`CREATE TABLE acknowledged_${index} (n int)`).then(
      () => outcomes.push('acknowledged'),
      () => outcomes.push('refused'),
    ),
  );
  await until('the commits wait for the standby', async () => {
    const [row] = await queryServer<{ n: number }>(
      formerUrl,
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
    return (row?.n ?? 0) >= SERVERS.length;
  });
  expect(outcomes).toEqual([]);
  await pair.killFormer();
  await Promise.all(commits);
  expect(outcomes).toEqual(SERVERS.map(() => 'refused'));
}

/** Brings the former primary back as a synchronous standby. */
async function rejoin(): Promise<void> {
  await pair.rejoin();
  await until('the status shows the standby', async () => (await replication())?.state === 'ok');
  expect(await replication()).toMatchObject({ message: '1 synchronous standby confirms each change before it is answered.' });
}

describe('Failover of PostgreSQL under load', () => {
  test('loses and repeats nothing when the primary is killed, and takes it back as a standby', { timeout: 150_000 }, async () => {
    await failOver('killed');
    expect(await replication()).toMatchObject({ state: 'warning', message: expect.stringContaining('no standby is connected') });
    await rejoin();
  });

  test('loses and repeats nothing when the primary is frozen and woken, and takes it back as a standby', { timeout: 150_000 }, async () => {
    // A person carries out the failover, which a rehearsal certifies.
    const stopped = await rehearse('POST', baseUrlOf(0));
    expect(stopped.data.command).toContain('patronictl');
    await rehearse('DELETE', baseUrlOf(0));
    expect(await certificateOf(baseUrlOf(0), stopped.data.rehearsalId)).toMatchObject({ result: 'stopped', lost: 0, doubled: 0 });
    expect((await rehearse('DELETE', baseUrlOf(0))).error.details).toEqual({ reason: 'not-running' });
    const { rehearsalId } = (await rehearse('POST', baseUrlOf(0))).data;
    const isDue = async () => (await rehearse<Overview>('GET', baseUrlOf(0))).data.running?.phase === 'switching';
    await until('the failover is due', isDue);

    await failOver('frozen');
    const certificate = await certificateOf(baseUrlOf(0), rehearsalId);
    expect(certificate).toMatchObject({ result: 'passed', carriedOutBy: 'person', lost: 0, doubled: 0 });
    await rejoin();
  });

  if (SOAK_MS > 0)
    test('loses and repeats nothing in many failovers', { timeout: SOAK_MS + 300_000 }, async () => {
      const soakUntil = performance.now() + SOAK_MS;
      for (let round = 0; performance.now() < soakUntil; round += 1) {
        await failOver(round % 2 === 0 ? 'killed' : 'frozen');
        await rejoin();
      }
    });
});

describe('Failover rehearsal', () => {
  let patroni: FakePatroni;
  let withPatroni: string;
  beforeAll(async () => {
    patroni = await startFakePatroni(pair);
    const unreachable = `http://127.0.0.1:${await freePort()}`;
    withPatroni = (await workstations.join({ patroniUrl: `${unreachable},${patroni.url}` })).baseUrl;
  });
  afterAll(() => patroni?.stop());

  test('certifies a switchover by Patroni: its gap, and no lost or doubled sales', { timeout: 150_000 }, async () => {
    patroni.refusal = 'no good candidates have been found';
    const refused = await rehearse('POST', withPatroni);
    const failed = await certificateOf(withPatroni, refused.data.rehearsalId);
    expect(failed).toMatchObject({
      result: 'failed',
      reason: 'Patroni refused the switchover: no good candidates have been found',
      lost: 0,
    });

    patroni.refusal = null;
    const { data } = await rehearse('POST', withPatroni);
    expect(data).toMatchObject({ phase: 'selling-before', command: null });
    // Another rehearsal would disturb this one, also at another server.
    const others = await Promise.all([withPatroni, baseUrlOf(0)].map((baseUrl) => rehearse('POST', baseUrl)));
    expect(others.map(({ status, error }) => [status, error.details])).toEqual(others.map(() => [409, { reason: 'running' }]));
    const certificate = await certificateOf(withPatroni, data.rehearsalId);
    console.info(`rehearsal: gap ${certificate.gapMs} ms, ${certificate.acknowledged} sales`);
    expect(certificate).toMatchObject({ result: 'passed', reason: null, carriedOutBy: 'patroni', lost: 0, doubled: 0, unconfirmed: 0 });
    expect(certificate.toTimeline).toBeGreaterThan(certificate.fromTimeline);
    expect(certificate.gapMs).toBeGreaterThan(0);
    expect(certificate.acknowledged).toBeGreaterThanOrEqual(40);
    expect(patroni.requests).toEqual([{ leader: 'db1' }, { leader: 'db1' }]);
    const entries = await expectData(
      api(1).admin.get<{ id: string; action: string; after: object }[]>('/audit-logs?resource=system/failover-rehearsal'),
    );
    const { auditId, actor: _, ...fields } = certificate;
    expect(entries.find(({ id }) => id === auditId)).toMatchObject({ action: 'failover_rehearsal.finished', after: fields });
    expect((await rehearse('POST', withPatroni)).error.details).toEqual({ reason: 'no-standby' });
  });
});

test('answers 503 while PostgreSQL is read-only, and makes the sale once afterwards', async () => {
  const before = await booked();
  const key = { 'Idempotency-Key': 'one-sale-while-read-only' };
  const setReadOnly = async (value: 'on' | 'off') => {
    await queryServer(pair.primaryUrl, `ALTER SYSTEM SET default_transaction_read_only = ${value}`).catch(async () => {
      // A read-only session can still change the setting of its own transaction.
      await queryServer(
        pair.primaryUrl,
        `SET default_transaction_read_only = off; ALTER SYSTEM SET default_transaction_read_only = ${value}`,
      );
    });
    await queryServer(pair.primaryUrl, 'SELECT pg_reload_conf()');
  };
  await setReadOnly('on');
  // Each connection learns of the setting on its own.
  for (const index of SERVERS) await until('health shows it', async () => (await health(index)).status === 'degraded');
  expect(await health(0)).toMatchObject({ database: { status: 'unavailable' }, problems: [expect.stringContaining('read-only')] });
  for (const index of SERVERS) {
    const error = await expectError(api(index).admin.post('/transactions', cardBody(17), key), 503, 'SERVICE_UNAVAILABLE');
    expect(error).toMatchObject({ message: expect.stringContaining('read-only'), details: { reason: 'read-only' } });
  }
  await setReadOnly('off');
  for (const index of SERVERS) await until('the server is healthy again', isHealthy(index));
  const first = await expectData(api(0).admin.post<TransactionRecord>('/transactions', cardBody(17), key));
  const second = await expectData(api(1).admin.post<TransactionRecord>('/transactions', cardBody(17), key));
  expect(second).toEqual(first);
  const after = await booked();
  expect([after.sales - before.sales, after.saleCents - before.saleCents]).toEqual([1, 1_700]);
});

/** Returns the totals of the processor's ledger. */
async function booked(): Promise<{ sales: number; saleCents: number; refundCents: number }> {
  const ledger = await openSandboxLedger({ url: workstations.url });
  const [row] = await ledger.readAcrossTenants().all<{ sales: number; sold: number; returned: number }>(
    "SELECT count(*) FILTER (WHERE operation = 'sale') AS sales, coalesce(sum(amount_minor) FILTER (WHERE operation = 'sale'), 0)::bigint AS sold, coalesce(sum(amount_minor) FILTER (WHERE operation = 'refund'), 0)::bigint AS returned FROM sandbox_ledger WHERE approved = 1 AND tenant_id = :tenant",
    // A rehearsal sells in a tenant of its own.
    { tenant: workstations.headers['X-Tenant-ID'] ?? '' },
  );
  await ledger.close();
  if (!row) throw new Error('a sum has a row');
  return { sales: row.sales, saleCents: row.sold, refundCents: row.returned };
}

async function differences() {
  const client = new Client({ connectionString: `${pair.primaryUrl}/failover` });
  await client.connect();
  return checkIntegrity({ all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] }).finally(() => client.end());
}
