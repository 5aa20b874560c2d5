import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import { compareBooks } from '#core/reporting';
import { pause, startMixedLoad } from '../../support/mixed-load.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/receiver.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { seededKeyFile } from '../../support/seeded.ts';
import { type Api, apiOf, expectData } from '../../support/server.ts';
import type { Line, SettlementRecord } from '../../support/settlements.ts';

const STATIONS = 3;
const CLIENTS = 6;
const PLANS = 24;
const PLAN_CENTS = 50_001;
/** How long stations are killed, one after the other; PAYDESK_SOAK_SECONDS makes a soak of it. */
const KILLING_SECONDS = Number(process.env.PAYDESK_SOAK_SECONDS ?? 12);
const BETWEEN_KILLS_MS = 1_000;
const KILLS_MIN = 6;
/** However slow the machine, there is something to lose. */
const SALES_MIN = 50;
/** A lease, the answer that an attempt waited for, and the longest that a station sleeps. */
const TAKEN_OVER_MS = 60_000;
const HOUR_MS = 3_600_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
}, 60_000);

/** Stations that are killed and started again, each in its place. */
async function stationsOn(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-stations-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const key = join(folder, 'master.key');
  await copyFile(seededKeyFile(), key);
  const flags = ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE, '--master-key', key];
  const processes: (ServerProcess | undefined)[] = [];
  const apis: (Api | undefined)[] = [];
  const starting: Promise<void>[] = [];
  const start = async (index: number) => {
    const server = await startServerProcess(join(folder, `station-${index}`), url, flags);
    processes[index] = server;
    apis[index] = apiOf(server.baseUrl, server.credentials);
  };
  for (let index = 0; index < STATIONS; index += 1) await start(index);
  cleanUp.push(() => Promise.all(processes.map((server) => server?.kill())));
  return {
    any: () => apis.filter((api) => api !== undefined)[Math.floor(Math.random() * apis.filter(Boolean).length)],
    /** Kills one that serves, the next in turn; it is started again meanwhile. False when none serves at the moment. */
    async killOne(turn: number): Promise<boolean> {
      const index = [0, 1, 2].map((step) => (turn + step) % STATIONS).find((place) => apis[place] !== undefined);
      if (index === undefined) return false;
      const server = processes[index];
      apis[index] = undefined;
      processes[index] = undefined;
      await server?.kill();
      starting.push(start(index));
      return true;
    },
    /** All are back. */
    back: () => Promise.all(starting),
  };
}

async function asked<Data>(
  ask: () => Promise<{ status: number; text: string; body: { data: Data } } | undefined> | undefined,
): Promise<Data> {
  for (const giveUpAt = Date.now() + TAKEN_OVER_MS; ; await pause(100)) {
    const answer = await ask()?.catch(() => undefined);
    if (answer && answer.status < 300) return answer.body.data;
    if (Date.now() > giveUpAt) throw new Error(`never answered: ${answer?.status} ${answer?.text}`);
  }
}

/** Moves the clock, unless a station that was killed before it could say so has done it. */
async function moveTo(now: string, api: Api | undefined) {
  const clock = await api?.admin.get<{ now: string }>('/sandbox/clock');
  return clock !== undefined && clock.body.data.now >= now ? clock : api?.admin.post<{ now: string }>('/sandbox/clock', { now });
}

test('of three stations under mixed load one is killed every second: nothing is lost and nothing is doubled', {
  timeout: (KILLING_SECONDS + 180) * 1_000,
}, async () => {
  const fresh = await freshDatabase(inject('seeded').template);
  cleanUp.push(fresh.drop);
  const receiver = await startReceiver();
  cleanUp.push(() => receiver.stop());
  const stations = await stationsOn(fresh.url);
  const first = stations.any() as Api;
  await expectData(
    first.admin.post('/webhooks', {
      url: receiver.url(),
      events: ['transaction.approved', 'refund.processed'],
    }),
    201,
  );
  // A night passes in the midst of it: plans fall due, and the day's takings are settled. No key has its day before it is told.
  const noon = await nextNoon(first);
  await expectData(first.admin.post('/sandbox/clock', { now: noon.toISOString() }));
  const night = new Date(noon.getTime() + 14 * HOUR_MS).toISOString();
  const dueOn = night.slice(0, 10);
  const plans = await Promise.all(Array.from({ length: PLANS }, (_, index) => subscribe(first, index, dueOn)));
  const before = await booksOf(fresh.url);

  const load = startMixedLoad(CLIENTS, stations.any, 10);
  const until = Date.now() + KILLING_SECONDS * 1_000;
  let kills = 0;
  const passed = pause(2_000).then(() => asked(() => moveTo(night, stations.any())));
  while (Date.now() < until || kills < KILLS_MIN) {
    await pause(BETWEEN_KILLS_MS);
    if (await stations.killOne(kills)) kills += 1;
  }
  while (load.sold.length < SALES_MIN) await pause(BETWEEN_KILLS_MS);
  await stations.back();
  await passed;
  const unknown = await load.finish();
  const after = stations.any() as Api;
  await expect
    .poll(async () => (await after.admin.get('/transactions?status=pending')).body.pagination.total, {
      timeout: TAKEN_OVER_MS,
      interval: 500,
    })
    .toBe(0);

  // Each key has the bytes that were told, at whichever station it is asked again.
  for (const { key, path, body, text } of load.told.filter((_, index) => index % 7 === 0)) {
    const again = await (stations.any() as Api).public.post(path, body, { 'Idempotency-Key': key });
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', text]);
  }
  // Each plan was charged once.
  const charged = async () =>
    (await Promise.all(plans.map((id) => expectData(after.admin.get<{ paymentsMade: number }>(`/recurring/${id}`))))).map(
      ({ paymentsMade }) => paymentsMade,
    );
  // What a killed station had in hand is free when its lease ends: its plans, and the day that it was settling.
  const { merchantId } = await expectData(after.public.get<{ merchantId: string }>(`/transaction/${load.sold[0]?.transactionId}`));
  const isSettled = asked(() => stations.any()?.admin.post('/settlement/settle', { merchantId }));
  await expect.poll(charged, { timeout: TAKEN_OVER_MS, interval: 1_000 }).toEqual(plans.map(() => 1));
  await isSettled;

  // The processor's books are those of the model.
  const books = await booksOf(fresh.url);
  const sum = (of: (sale: (typeof load.sold)[number]) => number) => load.sold.reduce((total, sale) => total + of(sale), 0);
  expect(unknown).toBe(0);
  expect(books.sales - before.sales).toBe(load.sold.length + PLANS);
  expect(books.saleCents - before.saleCents).toBe(sum(({ amount }) => amount) + PLANS * PLAN_CENTS);
  expect(books.refundCents - before.refundCents).toBe(sum(({ refunded }) => refunded));
  for (const { transactionId, amount, refunded } of load.sold.filter((_, index) => index % 5 === 0)) {
    const record = await expectData(after.public.get<TransactionRecord>(`/transaction/${transactionId}`));
    expect([record.status, Math.round(record.amount * 100), Math.round(record.refundedAmount * 100)]).toEqual([
      'approved',
      amount,
      refunded,
    ]);
  }
  // Each sale is in one settlement, when all of its day is settled.
  const settled = await linesOf(after, merchantId);
  const sales = settled.filter(({ kind }) => kind !== 'refund').map(({ transactionId }) => transactionId);
  expect(new Set(sales).size).toBe(sales.length);
  expect(load.sold.filter(({ transactionId }) => !sales.includes(transactionId))).toEqual([]);
  // Ledger, records, settlements and reports agree, and the log is whole.
  expect(await books.differences()).toEqual([]);
  expect(await expectData(after.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  // Every kept change was told at least once, and each resource's in order.
  const approvals = () =>
    new Set(
      receiver.received.filter(({ event }) => event.type === 'transaction.approved').map(({ event }) => String(event.data.transactionId)),
    );
  await expect
    .poll(() => load.sold.filter(({ transactionId }) => !approvals().has(transactionId)).length, { timeout: TAKEN_OVER_MS, interval: 500 })
    .toBe(0);
  const refunded = load.sold.filter(({ refunded: cents }) => cents > 0).map(({ transactionId }) => transactionId);
  const order = (transactionId: string) => [
    ...new Set(receiver.received.filter(({ event }) => event.data.transactionId === transactionId).map(({ event }) => event.type)),
  ];
  await expect
    .poll(() => refunded.filter((id) => !order(id).includes('refund.processed')), { timeout: TAKEN_OVER_MS, interval: 500 })
    .toEqual([]);
  for (const id of refunded) expect(order(id)).toEqual(['transaction.approved', 'refund.processed']);
  console.log(
    `${kills} kills, ${load.sold.length} sales, ${refunded.length} refunds, ${receiver.received.length} deliveries, ${settled.length} lines`,
  );
});

async function subscribe({ admin }: Api, index: number, startDate: string): Promise<string> {
  const { customerId } = await expectData(admin.post<{ customerId: string }>('/customers', { lastName: `Subscriber ${index}` }), 201);
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2045' };
  await expectData(admin.post(`/customers/${customerId}/payment-methods`, { type: 'card', card }), 201);
  const plan = { customerId, amount: PLAN_CENTS / 100, frequency: 'annually', startDate };
  return (await expectData(admin.post<{ subscriptionId: string }>('/recurring', plan), 201)).subscriptionId;
}

/** The next noon of the day that follows, where the demo's merchant is. */
async function nextNoon({ admin }: Api): Promise<Date> {
  const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
  const { merchants } = await expectData(admin.get<{ merchants: { timezone: string }[] }>('/auth/me'));
  const zone = { timeZone: merchants[0]?.timezone, hour: 'numeric', hourCycle: 'h23' } as const;
  const hourAt = (at: number) => Number(new Intl.DateTimeFormat('en', zone).format(at));
  let at = Math.ceil(Date.parse(now) / HOUR_MS) * HOUR_MS;
  while (hourAt(at) !== 12) at += HOUR_MS;
  return new Date(at);
}

async function linesOf({ admin }: Api, merchantId: string): Promise<Line[]> {
  const lines: Line[] = [];
  const history = await expectData(admin.get<SettlementRecord[]>(`/settlement/history/${merchantId}?limit=200`));
  for (const { settlementId } of history.slice(0, 6)) {
    for (let page = 1, more = true; more; page += 1) {
      const { body } = await admin.get<Line[]>(`/settlement/settlements/${settlementId}/lines?limit=200&page=${page}`);
      lines.push(...body.data);
      more = page < body.pagination.pages;
    }
  }
  return lines;
}

/** What the processor has on its own books, and whether ours agree with each other. */
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
      return compareBooks({ all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] }).finally(() => client.end());
    },
  };
}
