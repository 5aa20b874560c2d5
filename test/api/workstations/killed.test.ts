// @module-tag full
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { checkIntegrity } from '#core/books/reporting';
import { openSandboxLedger } from '#core/processing/gateways';
import { startMixedLoad } from '../../support/mixed-load.ts';
import { type FirstTenant, setUpTenant } from '../../support/new-installation.ts';
import { expireLeasesOfKilledServers, freshDatabase } from '../../support/postgres.ts';
import { type ServerProcess, startEmptyProcess } from '../../support/process.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData, isSiege, sized } from '../../support/server.ts';
import type { SettlementLine, SettlementRecord } from '../../support/settlements.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/webhook-receiver.ts';

const STATIONS = sized(2, 3);
/** Each round kills one workstation under load, and later all of them together. */
const ROUNDS = sized(1, 3);
/** PAYDESK_SOAK_SECONDS repeats the rounds for that time. */
const SOAK_MS = Number(process.env.PAYDESK_SOAK_SECONDS ?? 0) * 1_000;
const CLIENTS = 6;
const PLANS = sized(8, 24);
const PLAN_CENTS = 50_001;
const SURVIVOR_CENTS = 77_001;
/** Number of responses before each kill. */
const ANSWERS = sized(12, 60);
/** Number of sales in the whole test, on any computer. */
const SALES_MIN = sized(20, 50);
/** The length of a lease, the time that an attempt waits for its answer, and the longest pause of a scheduler. */
const TAKEN_OVER_MS = 60_000;
const HOUR_MS = 3_600_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
}, 60_000);

/** Workstations that can be killed and started again, each with its own data directory. */
async function stationsOn(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-stations-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const key = join(folder, 'master.key');
  const flags = ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE, '--master-key', key];
  const processes: (Omit<ServerProcess, 'credentials'> | undefined)[] = [];
  const apis: (Api | undefined)[] = [];
  let tenant: FirstTenant | undefined;
  const start = async (index: number) => {
    const server = await startEmptyProcess(join(folder, `station-${index}`), url, flags);
    tenant ??= await setUpTenant(server.baseUrl);
    processes[index] = server;
    apis[index] = tenant.at(server.baseUrl);
  };
  const indexes = Array.from({ length: STATIONS }, (_, index) => index);
  for (const index of indexes) await start(index);
  const kill = async (index: number) => {
    const server = processes[index];
    apis[index] = undefined;
    processes[index] = undefined;
    await server?.kill();
  };
  return {
    merchantId: (tenant as FirstTenant | undefined)?.merchantId ?? '',
    all: () => apis.filter((api) => api !== undefined),
    any: () => apis.filter((api) => api !== undefined)[Math.floor(Math.random() * apis.filter(Boolean).length)],
    start,
    kill,
    killAll: () => Promise.all(indexes.map(kill)),
    startAll: () => Promise.all(indexes.map(start)),
    /** Starts one workstation in the test process. */
    async startHere() {
      const server = await startServer({
        dataDir: join(folder, 'station-0'),
        databaseUrl: url,
        masterKey: key,
        port: 0,
        logLevel: 'silent',
        webhookCa: RECEIVER_CA_FILE,
      });
      cleanUp.push(() => server.close());
      apis[0] = tenant?.at(server.baseUrl);
    },
  };
}

/** Repeats a request until a workstation accepts it. */
const accepted = <Data>(
  what: string,
  ask: () => Promise<{ status: number; text: string; body: { data: Data } } | undefined> | undefined,
): Promise<NonNullable<Data>> =>
  until(
    what,
    async () => {
      const answer = await ask()?.catch(() => undefined);
      return answer && answer.status < 300 ? answer.body.data : undefined;
    },
    { withinMs: TAKEN_OVER_MS, everyMs: 100 },
  );

/** Moves the clock, unless a workstation that was killed before its response has moved it. */
async function moveTo(now: string, api: Api | undefined) {
  const clock = await api?.admin.get<{ now: string }>('/sandbox/clock');
  return clock !== undefined && clock.body.data.now >= now ? clock : api?.admin.post<{ now: string }>('/sandbox/clock', { now });
}

test('loses nothing and repeats nothing when workstations are killed under mixed load', { timeout: SOAK_MS + 240_000 }, async () => {
  const fresh = await freshDatabase(inject('migrated').template);
  cleanUp.push(fresh.drop);
  const receiver = await startReceiver();
  cleanUp.push(() => receiver.stop());
  const stations = await stationsOn(fresh.url);
  const { merchantId } = stations;
  const first = stations.any() as Api;
  await expectData(first.admin.post('/webhooks', { url: receiver.url(), events: ['transaction.approved', 'refund.processed'] }), 201);
  // A night passes on the test clock: subscriptions are due, and the sales of the day are settled. No idempotency key expires.
  const noon = await nextNoon(first);
  await expectData(first.admin.post('/sandbox/clock', { now: noon.toISOString() }));
  // A workstation hears of the new time within a second. A key of a sale that it makes before would have expired at the end of the night.
  for (const { admin } of stations.all()) {
    const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
    expect(Date.parse(now)).toBeGreaterThanOrEqual(noon.getTime());
  }
  const night = new Date(noon.getTime() + 14 * HOUR_MS).toISOString();
  const dueOn = night.slice(0, 10);
  const plans = await Promise.all(Array.from({ length: PLANS }, (_, index) => subscribe(first, index, dueOn)));
  const before = await booksOf(fresh.url);

  const load = startMixedLoad(CLIENTS, stations.any, 10);
  const soakUntil = performance.now() + SOAK_MS;
  let survivors = 0;
  let kills = 0;
  let passed: Promise<unknown> | undefined;
  for (let round = 0; round < ROUNDS || performance.now() < soakUntil; round += 1) {
    const isLast = round + 1 >= ROUNDS && performance.now() >= soakUntil;
    const answered = load.answered.length;
    await until('the load is under way', () => load.answered.length >= answered + ANSWERS, { withinMs: TAKEN_OVER_MS });
    passed ??= accepted('the clock has moved', () => moveTo(night, stations.any()));
    await stations.kill(round % STATIONS);
    kills += 1;
    // The other workstations continue without waiting for the leases of the killed one.
    await expectData((stations.any() as Api).admin.post('/transactions', cardBody(SURVIVOR_CENTS / 100)));
    survivors += 1;
    await stations.start(round % STATIONS);
    await stations.killAll();
    kills += STATIONS;
    // Everyday runs expire the leases; in the siege tier they run out.
    if (!isSiege) await expireLeasesOfKilledServers(fresh.url);
    if (isLast && !isSiege) await stations.startHere();
    else await stations.startAll();
  }
  await until('there are enough sales', () => load.sales.length >= SALES_MIN, { withinMs: TAKEN_OVER_MS });
  const unknown = await load.finish();
  // A workstation that moves the clock also runs the work that becomes due, so this ends after the load.
  await passed;
  const after = stations.any() as Api;
  await until('no payment is pending', async () => (await after.admin.get('/transactions?status=pending')).body.pagination.total === 0, {
    withinMs: TAKEN_OVER_MS,
    everyMs: 100,
  });

  // A repeat at any workstation gets the bytes of the first response.
  for (const { key, path, body, text } of load.answered.filter((_, index) => index % 7 === 0)) {
    const again = await (stations.any() as Api).public.post(path, body, { 'Idempotency-Key': key });
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', text]);
  }
  const charged = async () =>
    (await Promise.all(plans.map((id) => expectData(after.admin.get<{ paymentsMade: number }>(`/recurring/${id}`))))).map(
      ({ paymentsMade }) => paymentsMade,
    );
  // The work of a killed workstation is free when its lease ends: the subscriptions that it charged, and the day that it settled.
  await until('every subscription is charged', async () => (await charged()).every((payments) => payments > 0), {
    withinMs: TAKEN_OVER_MS,
    everyMs: 100,
  });
  expect(await charged()).toEqual(plans.map(() => 1));
  await accepted('the day is settled', () => stations.any()?.admin.post('/settlement/settle', { merchantId }));

  // The processor's ledger matches the model.
  const books = await booksOf(fresh.url);
  const sum = (amountOf: (sale: (typeof load.sales)[number]) => number) => load.sales.reduce((total, sale) => total + amountOf(sale), 0);
  expect(unknown).toBe(0);
  expect(books.sales - before.sales).toBe(load.sales.length + survivors + PLANS);
  expect(books.saleCents - before.saleCents).toBe(sum(({ amount }) => amount) + survivors * SURVIVOR_CENTS + PLANS * PLAN_CENTS);
  expect(books.refundCents - before.refundCents).toBe(sum(({ refunded }) => refunded));
  for (const { transactionId, amount, refunded } of load.sales.filter((_, index) => index % 5 === 0)) {
    const record = await expectData(after.public.get<TransactionRecord>(`/transaction/${transactionId}`));
    expect([record.status, Math.round(record.amount * 100), Math.round(record.refundedAmount * 100)]).toEqual([
      'approved',
      amount,
      refunded,
    ]);
  }
  // Each sale is in one settlement once its whole day is settled.
  const settled = await linesOf(after, merchantId);
  const sales = settled.filter(({ kind }) => kind !== 'refund').map(({ transactionId }) => transactionId);
  expect(new Set(sales).size).toBe(sales.length);
  expect(load.sales.filter(({ transactionId }) => !sales.includes(transactionId))).toEqual([]);
  // Ledger, records, settlements and reports agree, and the audit log is valid.
  expect(await books.differences()).toEqual([]);
  expect(await expectData(after.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  // Every stored change is published at least once, and the changes of each resource in order.
  const approvals = () =>
    new Set(
      receiver.received.filter(({ event }) => event.type === 'transaction.approved').map(({ event }) => String(event.data.transactionId)),
    );
  await until(
    'every sale is published',
    () => {
      const published = approvals();
      return load.sales.every(({ transactionId }) => published.has(transactionId));
    },
    { withinMs: TAKEN_OVER_MS },
  );
  const refunded = load.sales.filter(({ refunded: cents }) => cents > 0).map(({ transactionId }) => transactionId);
  const order = (transactionId: string) => [
    ...new Set(receiver.received.filter(({ event }) => event.data.transactionId === transactionId).map(({ event }) => event.type)),
  ];
  await until('every refund is published', () => refunded.every((id) => order(id).includes('refund.processed')), {
    withinMs: TAKEN_OVER_MS,
  });
  for (const id of refunded) expect(order(id)).toEqual(['transaction.approved', 'refund.processed']);
  if (isSiege)
    console.log(
      `${kills} kills, ${load.sales.length} sales, ${refunded.length} refunds, ${receiver.received.length} deliveries, ${settled.length} lines`,
    );
});

async function subscribe({ admin }: Api, index: number, startDate: string): Promise<string> {
  const { customerId } = await expectData(admin.post<{ customerId: string }>('/customers', { lastName: `Subscriber ${index}` }), 201);
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2045' };
  await expectData(admin.post(`/customers/${customerId}/payment-methods`, { type: 'card', card }), 201);
  const plan = { customerId, amount: PLAN_CENTS / 100, frequency: 'annually', startDate };
  return (await expectData(admin.post<{ subscriptionId: string }>('/recurring', plan), 201)).subscriptionId;
}

/** Returns the next noon in the merchant's time zone. */
async function nextNoon({ admin }: Api): Promise<Date> {
  const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
  const { merchants } = await expectData(admin.get<{ merchants: { timezone: string }[] }>('/auth/me'));
  const zone = { timeZone: merchants[0]?.timezone, hour: 'numeric', hourCycle: 'h23' } as const;
  const hourAt = (at: number) => Number(new Intl.DateTimeFormat('en', zone).format(at));
  let at = Math.ceil(Date.parse(now) / HOUR_MS) * HOUR_MS;
  while (hourAt(at) !== 12) at += HOUR_MS;
  return new Date(at);
}

async function linesOf({ admin }: Api, merchantId: string): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  const history = await expectData(admin.get<SettlementRecord[]>(`/settlement/history/${merchantId}?limit=200`));
  for (const { settlementId } of history.slice(0, 6)) {
    for (let page = 1, more = true; more; page += 1) {
      const { body } = await admin.get<SettlementLine[]>(`/settlement/settlements/${settlementId}/lines?limit=200&page=${page}`);
      lines.push(...body.data);
      more = page < body.pagination.pages;
    }
  }
  return lines;
}

/** Returns the contents of the processor's ledger, and whether our records are consistent. */
async function booksOf(url: string) {
  const ledger = await openSandboxLedger({ url });
  const [row] = await ledger.readAcrossTenants().all<{ sales: number; sold: number; returned: number }>(
    `SELECT count(*) FILTER (WHERE operation = 'sale') AS sales, coalesce(sum(amount_minor) FILTER (WHERE operation = 'sale'), 0)::bigint AS sold,
     coalesce(sum(amount_minor) FILTER (WHERE operation = 'refund'), 0)::bigint AS returned FROM sandbox_ledger WHERE approved = 1`,
  );
  await ledger.close();
  if (!row) throw new Error('a sum has a row');
  return {
    sales: row.sales,
    saleCents: row.sold,
    refundCents: row.returned,
    async differences() {
      const client = new Client({ connectionString: url });
      await client.connect();
      return checkIntegrity({ all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] }).finally(() => client.end());
    },
  };
}
