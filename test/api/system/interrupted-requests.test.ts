import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { type Answer, type Api, apiOf, type DatabaseKind, expectData, expectError, FULL } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const CLIENTS = 4;
const WITHIN_MS = 60_000;
const SALE = 23.45;
const REFUNDED_SALE = 67.89;
const REFUND = 12.34;
const CLAIMED = ['admin.createCustomer', 'admin.createInvoice'];

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

interface Statements {
  run(statement: string): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Opens a connection to the database of a server. It is opened while the server runs, because SQLite opens none beside a suspended writer. */
async function openDatabase(dataDir: string, url: string | undefined): Promise<Statements> {
  if (url === undefined) {
    const handle = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'), { timeout: 5_000, readonly: true });
    return { run: async (statement) => handle.prepare(statement).all(), close: async () => void handle.close() };
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  return { run: async (statement) => (await client.query(statement)).rows, close: () => client.end() };
}

interface Sent {
  readonly key: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** The response; null if the server was killed before. */
  text: string | null;
}

const send = (api: Api, { key, path, body }: Pick<Sent, 'key' | 'path' | 'body'>) => api.admin.post(path, body, { 'Idempotency-Key': key });

/** Creates customers and invoices until the server is killed while it runs at least one of the requests. */
async function createUntilKilled(server: ServerProcess, database: Statements, customerId: string) {
  const api = apiOf(server.baseUrl, server.credentials);
  const sent: Sent[] = [];
  let killed = false;
  const client = async (path: string) => {
    while (!killed) {
      const key = randomUUID();
      const body = path === '/customers' ? { firstName: 'Kill', lastName: key } : { customerId, amount: 10, note: key };
      const one: Sent = { key, path, body, text: null };
      sent.push(one);
      const answer = await send(api, one).catch(() => null);
      if (answer === null) return;
      expect(answer.status, answer.text).toBe(201);
      one.text = answer.text;
    }
  };
  const clients = ['/customers', '/invoices'].flatMap((path) => Array.from({ length: CLIENTS }, () => client(path)));
  const isCreating = async () => {
    const rows = (await database.run("SELECT DISTINCT route FROM idempotency_keys WHERE state = 'claimed'")) as { route: string }[];
    return rows.some(({ route }) => CLAIMED.includes(route));
  };
  await until(
    'the server is stopped while it creates a customer or an invoice',
    async () => {
      if (!(await isCreating())) return false;
      server.suspend();
      // SQLite can't be read if the server was suspended while it held a lock.
      const isRunning = await isCreating().catch(() => false);
      if (!isRunning) server.resume();
      return isRunning;
    },
    { withinMs: WITHIN_MS, everyMs: 1 },
  );
  killed = true;
  await server.kill();
  await Promise.all(clients);
  return sent;
}

/** Repeats a request until it is not reported as running any more. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await until(
    'the repeated request is answered',
    async () => {
      answer = await ask();
      return answer.status !== 409 || answer.body.error.details?.retryAfter === undefined;
    },
    { withinMs: WITHIN_MS },
  );
  return answer as Answer;
}

async function everyRecord<Item>(api: Api, path: string): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; all.length === (page - 1) * 200; page += 1)
    all.push(...(await expectData(api.admin.get<Item[]>(`${path}limit=200&page=${page}`))));
  return all;
}

/** Counts the movements of an amount in the processor's ledger. */
async function movements(dataDir: string, url: string | undefined, tenantId: string, operation: string, amount: number): Promise<number> {
  const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
  const rows = await ledger
    .read(tenantId)
    .all<{ operation: string; amount_minor: number }>('SELECT operation, amount_minor FROM sandbox_ledger WHERE tenant_id = :tenantId');
  await ledger.close();
  return rows.filter((row) => row.operation === operation && row.amount_minor === Math.round(amount * 100)).length;
}

const TITLE = 'gives each repeated request a clear answer and one effect after a kill -9 during the first one (%s)';
const TIME_LIMIT_MS = 240_000;

async function checkRepeats(database: DatabaseKind): Promise<void> {
  const { dataDir, url, remove } = await createSampleInstallation(database);
  cleanUp.push(remove);
  const paying = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
  const { credentials } = paying;
  const stored = await openDatabase(dataDir, url);
  cleanUp.push(stored.close);
  const before = apiOf(paying.baseUrl, credentials);
  const { customerId } = await expectData(
    before.admin.post<{ customerId: string }>('/customers', { firstName: 'Kill', lastName: 'Nine', email: 'kill@customer.example' }),
    201,
  );
  const { transactionId } = await expectData(before.admin.post<TransactionRecord>('/transactions', cardBody(REFUNDED_SALE)));

  // The slow gateway answers only after seconds: the intents are committed, and the server is killed before.
  await expectData(before.admin.post('/sandbox/gateway', { mode: 'slow' }));
  const sale = { key: randomUUID(), path: '/transactions', body: cardBody(SALE) as Record<string, unknown> };
  const refund = { key: randomUUID(), path: `/transactions/${transactionId}/refund`, body: { amount: REFUND } };
  const waiting = [sale, refund].map((one) => send(before, one).catch(() => null));
  const claims = () => stored.run("SELECT route FROM idempotency_keys WHERE state = 'running'");
  await until('the sale and the refund are under way', async () => (await claims()).length === waiting.length);
  await paying.kill();
  expect(await Promise.all(waiting)).toEqual([null, null]);

  const creating = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
  const sent = await createUntilKilled(creating, stored, customerId);
  await expireLeasesOfKilledServers(url);

  const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
  cleanUp.push(() => server.close());
  const api = apiOf(server.baseUrl, credentials);
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));

  for (const [one, operation, amount] of [
    [sale, 'sale', SALE],
    [refund, 'refund', REFUND],
  ] as const) {
    const answer = await untilAnswered(() => send(api, one));
    const again = await untilAnswered(() => send(api, one));
    expect([again.status, again.text]).toEqual([answer.status, answer.text]);
    expect(await movements(dataDir, url, credentials.tenantId, operation, amount)).toBe(answer.body.success ? 1 : 0);
  }

  // On PostgreSQL, another server may still run the request: it counts as interrupted after ten minutes.
  const left = (await stored.run("SELECT key FROM idempotency_keys WHERE state = 'claimed'")).length;
  expect(left).toBeGreaterThan(0);
  if (url !== undefined) {
    const running = (await Promise.all(sent.filter(({ text }) => text === null).map((one) => send(api, one)))).filter(
      ({ status }) => status === 409,
    );
    expect(running.map(({ body }) => body.error.details)).toEqual(running.map(() => ({ retryAfter: 1 })));
    await stored.run("UPDATE idempotency_keys SET created_at = '2020-01-01T00:00:00.000Z' WHERE state = 'claimed'");
  }
  let interrupted = 0;
  for (const one of sent) {
    const answer = await send(api, one);
    if (one.text !== null) expect(answer.text).toBe(one.text);
    if (answer.status === 201) continue;
    const error = await expectError(Promise.resolve(answer), 409, 'RESOURCE_CONFLICT');
    expect(error).toMatchObject({ field: 'Idempotency-Key', details: { reason: 'request_interrupted' } });
    interrupted += 1;
  }
  expect(interrupted).toBe(left);
  const created = [
    ...(await everyRecord<{ lastName: string | null }>(api, '/customers?')).map(({ lastName }) => lastName),
    ...(await everyRecord<{ note: string | null }>(api, `/invoices?customerId=${customerId}&`)).map(({ note }) => note),
  ];
  const times = (key: string) => created.filter((name) => name === key).length;
  for (const { key, text } of sent) {
    expect(times(key)).toBeLessThanOrEqual(1);
    if (text !== null) expect(times(key)).toBe(1);
  }
  expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
}

test.each(['postgres'] as const)(TITLE, { timeout: TIME_LIMIT_MS }, checkRepeats);

test.each(['sqlite'] as const)(TITLE, { ...FULL, timeout: TIME_LIMIT_MS }, checkRepeats);
