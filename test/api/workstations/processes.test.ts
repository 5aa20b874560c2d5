import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { surfaceOf } from '../../support/api-client.ts';
import { createLimitedKey } from '../../support/limited-key.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { sampleKeyFile } from '../../support/sample-data.ts';
import { type Api, apiOf, expectData, FULL } from '../../support/server.ts';
import {
  fromEachProcess as askEachProcess,
  isRunning,
  linesOf,
  logged,
  pidsOf as pidsOfServer,
  processesOf,
  REPLACED_WITHIN_MS,
  replaceProcess,
} from '../../support/server-processes.ts';
import { pause, until } from '../../support/until.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/webhook-receiver.ts';
import { listenToChanges } from '../../support/workstations.ts';

const PROCESSES = 2;
/** Less than the 15 seconds after which a process checks without a notification. */
const NOTIFIED_WITHIN_MS = 14_000;
/** Maximum number of sign-ins from one address. */
const SIGN_INS_PER_MINUTE = 30;

interface Health {
  readonly status: string;
  readonly processes: { readonly expected: number; readonly running: number };
  readonly problems: readonly string[];
}

let dataDir: string;
let database: FreshDatabase;
let server: ServerProcess;
let api: Api;
// Each request has a connection of its own, so that the operating system chooses a process for each.
const dispatcher = getGlobalDispatcher();
const perRequest = new Agent({ pipelining: 0 });

beforeAll(async () => {
  setGlobalDispatcher(perRequest);
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-processes-'));
  database = await freshDatabase(inject('seeded').template);
  server = await startServerProcess(dataDir, database.url, [
    '--processes',
    String(PROCESSES),
    '--master-key',
    sampleKeyFile(),
    '--webhook-ca',
    RECEIVER_CA_FILE,
    '--metrics-port',
    '0',
  ]);
  api = apiOf(server.baseUrl, server.credentials);
}, 240_000);
afterAll(async () => {
  await server?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
  setGlobalDispatcher(dispatcher);
  await perRequest.close();
});

const log = () => linesOf(server);
const pidsOf = () => pidsOfServer(server);

const health = async () => JSON.parse((await api.bare.get('/health')).text) as Health;
const allRun = () =>
  until('all processes run', async () => (await health().catch(() => null))?.processes.running === PROCESSES, {
    withinMs: REPLACED_WITHIN_MS,
  });

const fromEachProcess = <Result extends { headers: Headers }>(ask: (index: number) => Promise<Result>) =>
  askEachProcess(server, PROCESSES, ask);

async function sumsInLedger(from: number, to: number): Promise<number> {
  const ledger = await openSandboxLedger({ url: database.url });
  const [booked] = await ledger
    .readAcrossTenants()
    .all<{ n: number }>(`SELECT count(*) AS n FROM sandbox_ledger WHERE amount_minor BETWEEN ${from} AND ${to}`);
  await ledger.close();
  return Number(booked?.n);
}

test('names all processes in health, metrics and the log', async () => {
  expect(await health()).toMatchObject({ status: 'ok', processes: { expected: PROCESSES, running: PROCESSES }, problems: [] });
  await fromEachProcess(() => api.bare.get('/health'));
  const metrics = await (await fetch(metricsUrl())).text();
  expect(metrics).toMatch(/^paydesk_processes_running 2$/m);
  for (const index of [1, 2]) {
    expect(metrics).toMatch(new RegExp(`^process_resident_memory_bytes\\{process="${index}"\\} \\d+`, 'm'));
    expect(metrics).toMatch(new RegExp(`^paydesk_http_requests_total\\{.*process="${index}".*\\} \\d+`, 'm'));
  }
  expect(metrics.match(/^paydesk_job_rows\{job="clean-up"\}/gm)).toHaveLength(1);
});

const metricsUrl = () => server.metricsUrl as string;

test('makes one payment of 64 parallel requests with one Idempotency-Key', async () => {
  await expectData(api.admin.get('/transactions?limit=1'));
  let payments = 0;
  // The operating system may give all 64 connections to one process.
  await until('both processes have answered', async () => {
    const key = randomUUID();
    const ask = () => api.admin.post<TransactionRecord>('/transactions', cardBody('63.01'), { 'Idempotency-Key': key });
    const answers = await Promise.all(Array.from({ length: 64 }, ask));
    payments += 1;
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const texts = [...answers.filter(({ status }) => status === 200), ...(await fromEachProcess(ask))].map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    await logged(server, answers);
    return processesOf(server, answers).size === PROCESSES;
  });
  expect(await sumsInLedger(6301, 6301)).toBe(payments);
});

test('applies a mode of the sandbox gateway in all processes', async () => {
  const statuses = async () =>
    new Set((await fromEachProcess((index) => api.admin.post('/transactions', cardBody((300 + index) / 100)))).map(({ status }) => status));
  expect(await statuses()).toEqual(new Set([200]));
  // A change reaches the last process some milliseconds after the response, see docs/server.md.
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'down' }));
  await expect.poll(statuses).toEqual(new Set([503]));
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
  await expect.poll(statuses).toEqual(new Set([200]));
});

test('counts the requests of a key at all processes', async () => {
  const answers = await Promise.all(Array.from({ length: 120 }, () => api.standard.post('/transaction', {})));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
  for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values())
    expect(window.filter(({ status }) => status !== 429)).toHaveLength(Math.min(50, window.length));
});

test('keeps the daily spending limit of an API key in parallel requests', async () => {
  const { credentials, baseUrl } = server;
  const fixture = { api, baseUrl, credentials, database: 'postgres' } as const;
  const { asKey, moved } = await createLimitedKey(fixture, credentials.merchantId, { perDay: 50 });
  const card = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2045', CVV: '123' };
  const answers = await Promise.all(Array.from({ length: 12 }, () => asKey.post('/transaction', { Amount: '10.00', ...card })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(403)]);
  expect(await moved()).toBe(50);
});

/** Expects an answer from all processes. A change reaches the last process some milliseconds after the response, see docs/server.md. */
const expectFromAll = (ask: () => Promise<unknown>, answer: unknown) =>
  expect.poll(async () => [...new Set(await Promise.all(Array.from({ length: 12 }, ask)))]).toEqual([answer]);

/** Returns true if a credential is refused. After 30 wrong ones in a minute, further wrong ones of an address get 429. */
const isRefused = async (answer: Promise<{ readonly status: number }>) => [401, 429].includes((await answer).status);

test('applies a changed setting, a revoked API key and an ended session in every process', async () => {
  const { merchantId, tenantId, adminEmail: email, adminPassword: password } = server.credentials;
  for (let round = 0; round < 2; round += 1) {
    await fromEachProcess(() => api.admin.get(`/merchants/${merchantId}`));
    const name = `Round ${round}`;
    await expectData(api.admin.put(`/merchants/${merchantId}`, { name }));
    const nameNow = async () => (await expectData(api.admin.get<{ name: string }>(`/merchants/${merchantId}`))).name;
    await expectFromAll(nameNow, name);
  }

  const confirmation = { currentPassword: password };
  const made = await expectData(
    api.admin.post<{ id: string; key: string }>('/api-keys', { name: 'till', scope: 'merchant', merchantId, ...confirmation }),
    201,
  );
  const asKey = surfaceOf(server.baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': made.key }));
  await fromEachProcess(() => asKey.get('/transaction-list?limit=1'));
  await expectData(api.admin.delete(`/api-keys/${made.id}`, {}, confirmation));
  await expectFromAll(() => isRefused(asKey.get('/transaction-list?limit=1')), true);

  const tenant = { 'X-Tenant-ID': tenantId };
  const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
  const asSession = surfaceOf(server.baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
  await fromEachProcess(() => asSession.get('/auth/me'));
  await asSession.post('/auth/logout', {});
  await expectFromAll(() => isRefused(asSession.get('/auth/me')), true);
});

test('sends changes of one process to the screens of all', async () => {
  const { tenantId, adminEmail: email, adminPassword: password } = server.credentials;
  const tenant = { 'X-Tenant-ID': tenantId };
  const signIn = () => expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
  const screens = await Promise.all(
    Array.from({ length: 6 }, async () =>
      listenToChanges(server.baseUrl, { ...tenant, Authorization: `Bearer ${(await signIn()).token}` }),
    ),
  );
  await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(12.5)));
  for (const { received } of screens) await expect.poll(() => received, { timeout: NOTIFIED_WITHIN_MS }).toContain('transactions');
  for (const { stop } of screens) stop();
});

test('keeps five streams of a session in all processes together', async () => {
  const { tenantId, adminEmail: email, adminPassword: password } = server.credentials;
  const tenant = { 'X-Tenant-ID': tenantId };
  const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
  const ending = new AbortController();
  let open = 0;
  for (let opened = 0; opened < 12; opened += 1) {
    const headers = { ...tenant, Authorization: `Bearer ${token}` };
    const { status, body } = await fetch(`${server.baseUrl}/api/v1/changes`, { headers, signal: ending.signal });
    expect(status).toBe(200);
    open += 1;
    void body?.pipeTo(new WritableStream()).then(
      () => {
        open -= 1;
      },
      () => {},
    );
  }
  await expect.poll(() => open).toBe(5);
  ending.abort();
});

test('counts wrong passwords at all processes', async () => {
  const { standardTenantId, standardAdminEmail: email } = server.credentials;
  const tenant = { 'X-Tenant-ID': standardTenantId };
  const attempt = () => api.bare.post('/api/v1/auth/login', { email, password: 'not the password at all' }, tenant);
  const answers = await Promise.all(Array.from({ length: 45 }, attempt));
  for (const { status } of answers) expect([401, 429]).toContain(status);
  for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values()) {
    const counted = window.filter(({ status }) => status === 401);
    expect(counted.length).toBeLessThanOrEqual(SIGN_INS_PER_MINUTE);
    // Earlier tests may have used a part of the window, but no count is given twice.
    expect(new Set(counted.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(counted.length);
  }
});

test('delivers each event once, and those of a payment in order', async () => {
  const { received, url, stop } = await startReceiver();
  const types = ['transaction.approved', 'refund.processed'];
  const { id } = await expectData(api.admin.post<{ id: string }>('/webhooks', { url: url(), events: types }), 201);
  const refunds = [10, 11, 12];
  const payments = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(40)));
      for (const amount of refunds) await expectData(api.admin.post(`/transactions/${transactionId}/refund`, { amount }));
      return transactionId;
    }),
  );
  await until('no delivery is pending', async () => {
    const pending = await expectData(api.admin.get<unknown[]>(`/webhooks/${id}/deliveries?status=pending&limit=1`));
    return pending.length === 0;
  });
  const order = received.map(({ event }) => event.data);
  for (const paymentId of payments)
    expect(order.filter(({ transactionId }) => transactionId === paymentId).map(({ amount }) => amount)).toEqual([40, ...refunds]);
  expect(order).toHaveLength(payments.length * (1 + refunds.length));
  await expectData(api.admin.delete(`/webhooks/${id}`));
  await stop();
});

test('loses no acknowledged sale and repeats none when processes are killed', { timeout: 300_000 }, async () => {
  const receiver = await startReceiver();
  await expectData(api.admin.post('/webhooks', { url: receiver.url(), events: ['transaction.approved'] }), 201);
  const sales: { key: string; cents: number; answer: string | null }[] = [];
  let isOver = false;
  let pauseMs = 25;
  const sell = (key: string, cents: number) =>
    api.admin.post<TransactionRecord>('/transactions', cardBody(cents / 100), { 'Idempotency-Key': key });
  const client = async () => {
    while (!isOver) {
      const sale = { key: randomUUID(), cents: 400_000 + sales.length, answer: null as string | null };
      sales.push(sale);
      sale.answer = await sell(sale.key, sale.cents).then(
        ({ status, text }) => (status === 200 ? text : null),
        () => null,
      );
      // Each sale is repeated at the end.
      await pause(pauseMs);
    }
  };
  const load = Promise.all(Array.from({ length: 4 }, client));
  for (const victim of [2, 1]) {
    const before = sales.length;
    await until('the load is under way', () => sales.length > before + 20);
    const replaced = replaceProcess(server, victim);
    pauseMs = 150;
    await replaced;
    await allRun();
    pauseMs = 25;
  }
  isOver = true;
  await load;
  expect(sales.filter(({ answer }) => answer !== null).length).toBeGreaterThan(30);
  // The first answer of each sale is repeated by any process, and a sale without an answer gets one.
  for (const { key, cents, answer } of sales) {
    const repeated = await until(
      'the sale has an outcome',
      async () => {
        const { status, text } = await sell(key, cents);
        return status === 409 ? null : { status, text };
      },
      { everyMs: 250 },
    );
    expect(repeated.status, repeated.text).toBe(200);
    if (answer !== null) expect(repeated.text).toBe(answer);
  }
  expect(await sumsInLedger(400_000, 400_000 + sales.length)).toBe(sales.length);
  const delivered = () => new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  await until('each event is delivered', () => delivered().size >= sales.length);
  expect(delivered().size).toBe(sales.length);
  await receiver.stop();
  expect(await (await fetch(metricsUrl())).text()).toMatch(/^paydesk_processes_restarted 2$/m);
  expect(log().filter(({ msg }) => msg === 'A process ended and is replaced')).toHaveLength(2);
});

// A process may be silent for 30 seconds before it is replaced.
test('replaces a process whose event loop is blocked, and delivers events in the meantime', { timeout: 180_000, ...FULL }, async () => {
  const { received, url, stop } = await startReceiver();
  const { id } = await expectData(api.admin.post<{ id: string }>('/webhooks', { url: url(), events: ['transaction.approved'] }), 201);
  const hung = pidsOf().get(1) as number;
  process.kill(hung, 'SIGSTOP');
  const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(77)));
  await until('the event is delivered', () => received.length > 0);
  expect(received.map(({ event }) => event.data.transactionId)).toEqual([transactionId]);
  await until('the process is replaced', () => pidsOf().get(1) !== hung, { withinMs: REPLACED_WITHIN_MS });
  expect(isRunning(hung)).toBe(false);
  expect(log().find(({ msg }) => msg === 'A process does not respond and is killed')).toMatchObject({ hung: 1, silentMs: 30_000 });
  await allRun();
  await expectData(api.admin.delete(`/webhooks/${id}`));
  await stop();
});

test('completes requests in progress at SIGTERM, and ends every process', { timeout: 180_000 }, async () => {
  const pids = [...pidsOf().values()];
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'slow' }));
  const asked = Array.from({ length: 8 }, () => api.admin.post<TransactionRecord>('/transactions', cardBody('88.00')));
  await until('the payments are sent', async () => (await api.admin.get('/transactions?limit=8')).text.split('"amount":88').length > 8);
  const stopped = server.stop();
  for (const answer of await Promise.all(asked)) await expectData(Promise.resolve(answer));
  expect(await stopped).toBe(0);
  expect(pids.filter(isRunning)).toEqual([]);
});
