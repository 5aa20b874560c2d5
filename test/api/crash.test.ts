import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import { timeOutKilled } from '../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../support/process.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../support/receiver.ts';
import { CARDS, cardBody, type TransactionRecord } from '../support/sales.ts';
import { seededPlace } from '../support/seeded.ts';
import { apiOf, DATABASES, expectData, startTestServer } from '../support/server.ts';

const CLIENTS = 16;
/** A lease, and the longest a server sleeps before it looks for what others left. */
const TAKEN_OVER_MS = 40_000;
const KILLS = 3;

interface Acknowledged {
  readonly key: string;
  readonly text: string;
  readonly transactionId: string;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

async function place(database: 'sqlite' | 'postgres') {
  const made = await seededPlace(database);
  cleanUp.push(made.remove);
  return made;
}

const saleOf = (order: string) => ({
  Amount: '7.77',
  CardNumber: CARDS.visa,
  ExpiryMonth: '12',
  ExpiryYear: '2031',
  CVV: '123',
  BillingCustomerName: order,
});

/** Many clients sell until the server is gone; answers what was acknowledged and which keys were left without an answer. */
async function sellUntilKilled(server: ServerProcess, afterAnswers: number) {
  const api = apiOf(server.baseUrl, server.credentials);
  const acknowledged: Acknowledged[] = [];
  const open = new Set<string>();
  let killing: Promise<void> | undefined;
  const client = async () => {
    while (!killing) {
      const key = randomUUID();
      open.add(key);
      try {
        const { status, text, body } = await api.public.post<TransactionRecord>('/transaction', saleOf(key), { 'Idempotency-Key': key });
        expect(status, text).toBe(200);
        acknowledged.push({ key, text, transactionId: body.data.transactionId });
        open.delete(key);
        if (acknowledged.length >= afterAnswers) killing ??= server.kill();
      } catch (error) {
        if (!killing) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await killing;
  return { acknowledged, open: [...open] };
}

test.each(DATABASES)(
  'kill -9 during a stream of sales loses no acknowledged sale and no event of one, and doubles no charge (%s)',
  { timeout: 120_000 },
  async (database) => {
    const { dataDir, url } = await place(database);
    const flags = ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE];
    const receiver = await startReceiver();
    cleanUp.push(() => receiver.stop());
    let server = await startServerProcess(dataDir, url, flags);
    await apiOf(server.baseUrl, server.credentials).admin.post('/webhooks', { url: receiver.url(), events: ['transaction.approved'] });
    const sent: string[] = [];
    for (let round = 1; round <= KILLS; round += 1) {
      const { acknowledged, open } = await sellUntilKilled(server, 40 * round);
      sent.push(...acknowledged.map(({ key }) => key), ...open);
      await timeOutKilled(url);
      server = await startServerProcess(dataDir, url, flags);
      const api = apiOf(server.baseUrl, server.credentials);
      for (const { key, text, transactionId } of acknowledged) {
        const replay = await api.public.post('/transaction', saleOf(key), { 'Idempotency-Key': key });
        expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', text]);
        expect(await expectData(api.public.get<TransactionRecord>(`/transaction/${transactionId}`))).toMatchObject({
          status: 'approved',
          amount: 7.77,
        });
      }
      for (const key of open) await finished(() => api.public.post('/transaction', saleOf(key), { 'Idempotency-Key': key }));
      const pending = await api.admin.get<TransactionRecord[]>('/transactions?status=pending');
      expect(pending.body.pagination.total).toBe(0);
    }
    const api = apiOf(server.baseUrl, server.credentials);
    const kept = new Set<string>();
    for (let page = 1; kept.size === (page - 1) * 200; page += 1) {
      const list = await expectData(
        api.admin.get<TransactionRecord[]>(`/transactions?minAmount=7.77&maxAmount=7.77&status=approved&limit=200&page=${page}`),
      );
      for (const { transactionId } of list) kept.add(transactionId);
    }
    const approved = kept.size;
    const told = () => new Set(receiver.received.map(({ event }) => String(event.data.transactionId)));
    // What a killed process had in hand is taken over when its lease ends.
    await until(async () => told().size >= approved, TAKEN_OVER_MS);
    // Every kept sale was told, and none that was not kept.
    expect(told()).toEqual(kept);
    // Each kept sale is in the audit log once, and the chain is whole.
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
    const first = await api.admin.get<{ resource: string; after: { amount: string; result: string } }[]>(
      '/audit-logs?action=transaction.sale&limit=200',
    );
    const { pages } = first.body.pagination;
    const noted: string[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const list = api.admin.get<typeof first.body.data>(`/audit-logs?action=transaction.sale&limit=200&page=${page}`);
      for (const { resource, after } of await expectData(list))
        if (after.amount === '7.77' && after.result === 'approved') noted.push(resource.replace('transactions/', ''));
    }
    expect(noted.sort()).toEqual([...kept].sort());
    expect(await server.stop()).toBe(0);
    // Each key took money once, and the processor's own books agree with ours.
    expect(approved).toBe(sent.length);
    const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
    const [booked] = await ledger
      .readAcrossTenants()
      .all<{ n: number }>('SELECT count(*) AS n FROM sandbox_ledger WHERE amount_minor = 777');
    await ledger.close();
    expect(booked?.n).toBe(approved);
  },
);

/** Asks with a key again until the request that had it has been ended by recovery. */
async function finished(ask: () => Promise<{ status: number; text: string }>): Promise<void> {
  for (let look = 0; look < 400; look += 1) {
    const { status, text } = await ask();
    if (status === 200 || status === 502) return;
    expect(status, text).toBe(409);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('a key is still running');
}

test('SIGTERM under load answers what was accepted and ends with code 0', { timeout: 60_000 }, async () => {
  const { dataDir } = await place('sqlite');
  const server = await startServerProcess(dataDir, undefined, ['--log-level', 'silent']);
  const api = apiOf(server.baseUrl, server.credentials);
  const answers = Array.from({ length: 20 }, () => api.public.post<TransactionRecord>('/transaction', saleOf('stop')));
  // What arrives after the signal is told 503 or finds nobody; what was accepted is answered.
  await Promise.race(answers);
  const code = await server.stop();
  const ids = (await Promise.allSettled(answers)).flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value.status === 200 ? [answer.value.body.data.transactionId] : [],
  );
  expect(code).toBe(0);
  const again = await startServerProcess(dataDir, undefined, ['--log-level', 'silent']);
  const after = apiOf(again.baseUrl, again.credentials);
  for (const id of ids) await expectData(after.public.get(`/transaction/${id}`));
  expect((await after.admin.get('/transactions?status=pending')).body.pagination.total).toBe(0);
  await again.stop();
});

test('a second server on the same data directory is refused in words, and the first goes on', async () => {
  const { dataDir, server, stop } = await startTestServer('sqlite');
  await expect(startServerProcess(dataDir)).rejects.toThrow(/Another Paydesk server is using the data directory/);
  expect((await fetch(`${server.baseUrl}/health`)).status).toBe(200);
  await stop();
});

test.each(DATABASES)('doubt that a crash left behind is ended at the next start (%s)', async (database) => {
  const { dataDir, url } = await place(database);
  const first = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
  const api = apiOf(first.baseUrl, first.credentials);
  // Its answer is lost for two seconds: the process is killed while it waits.
  const asked = api.admin.post('/transactions', cardBody(9.99, CARDS.answerLost)).catch(() => undefined);
  await until(async () => (await api.admin.get('/transactions?status=pending')).body.pagination.total === 1);
  await first.kill();
  await asked;
  const second = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
  const after = apiOf(second.baseUrl, second.credentials);
  if (database === 'sqlite') {
    await until(async () => (await after.admin.get('/transactions?status=pending')).body.pagination.total === 0);
    const { body } = await after.admin.get<TransactionRecord[]>('/transactions?q=9.99');
    expect(body.data[0]).toMatchObject({ status: 'approved', capturedAmount: 9.99 });
  } else {
    // Another station might still be asking: on a shared database an attempt is nobody's only after its deadline.
    expect((await after.admin.get('/transactions?status=pending')).body.pagination.total).toBe(1);
  }
  await second.stop();
});

async function until(holds: () => Promise<boolean>, withinMs = 5_000): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it never came to hold');
}
