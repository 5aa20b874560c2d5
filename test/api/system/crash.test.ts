import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { type ServerProcess, startServerProcess } from '../../support/process.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type Api, apiOf, DATABASES, expectData, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { pause, until } from '../../support/until.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/webhook-receiver.ts';

const CLIENTS = sized(8, 16);
const KILLS = sized(1, 3);
/** Number of sales that a server acknowledges before it is killed; more in each round. */
const SALES = sized(20, 40);

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
  const made = await createSampleInstallation(database);
  cleanUp.push(made.remove);
  return made;
}

/** Starts a server in the test process on the data of a killed one. */
async function startHere(dataDir: string, databaseUrl: string | undefined) {
  const server = await startServer({
    dataDir,
    databaseUrl,
    port: 0,
    demo: true,
    logLevel: 'silent',
    sandboxTimeoutMs: 40,
    webhookCa: RECEIVER_CA_FILE,
  });
  cleanUp.push(() => server.close());
  if (!server.credentials) throw new Error('A server with --demo has credentials.');
  return { server, api: apiOf(server.baseUrl, server.credentials) };
}

const pendingAt = async ({ admin }: Api) => (await admin.get('/transactions?status=pending')).body.pagination.total;

/** Opens the processor's ledger until the end of the tests; returns a function that counts the sales of an amount in minor units. */
async function openBooks(dataDir: string, url: string | undefined): Promise<(minor: number) => Promise<number>> {
  const ledger = await openSandboxLedger(url ? { url } : { file: join(dataDir, 'sandbox-gateway.sqlite') });
  cleanUp.push(() => ledger.close());
  return async (minor) => {
    const [booked] = await ledger
      .readAcrossTenants()
      .all<{ n: number }>('SELECT count(*) AS n FROM sandbox_ledger WHERE amount_minor = :minor', { minor });
    return Number(booked?.n);
  };
}

const saleOf = (order: string) => ({
  Amount: '7.77',
  CardNumber: CARDS.visa,
  ExpiryMonth: '12',
  ExpiryYear: '2031',
  CVV: '123',
  BillingCustomerName: order,
});

/** Makes sales with many clients, while the clock is moved, until the server is killed. Returns the acknowledged sales and the keys without a response. */
async function sellUntilKilled(server: ServerProcess, afterAnswers: number) {
  const api = apiOf(server.baseUrl, server.credentials);
  const acknowledged: Acknowledged[] = [];
  const open = new Set<string>();
  let killing: Promise<void> | undefined;
  let moves = 0;
  const client = async () => {
    while (!killing) {
      const key = randomUUID();
      open.add(key);
      try {
        const { status, text, body } = await api.public.post<TransactionRecord>('/transaction', saleOf(key), { 'Idempotency-Key': key });
        expect(status, text).toBe(200);
        acknowledged.push({ key, text, transactionId: body.data.transactionId });
        open.delete(key);
        if (acknowledged.length >= afterAnswers && moves > 0) killing ??= server.kill();
        // Clients that all wait for the same commit have no request under way when it is answered.
        await pause(Math.random() * 80);
      } catch (error) {
        if (!killing) throw error;
        return;
      }
    }
  };
  const moveClock = async () => {
    while (!killing) {
      try {
        await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 60 }));
        moves += 1;
      } catch (error) {
        if (!killing) throw error;
      }
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, client), moveClock()]);
  await killing;
  return { acknowledged, open: [...open] };
}

/** Repeats a request with its key until recovery has concluded it. */
const untilFinished = (ask: () => Promise<{ status: number; text: string }>) =>
  until('the request of a key has ended', async () => {
    const { status, text } = await ask();
    if (status !== 200 && status !== 502) expect(status, text).toBe(409);
    return status !== 409;
  });

/** Checks that a new server returns the sales of the killed one. */
async function checkSales(api: Api, { acknowledged, open }: Awaited<ReturnType<typeof sellUntilKilled>>): Promise<void> {
  for (const { key, text, transactionId } of acknowledged) {
    const replay = await api.public.post('/transaction', saleOf(key), { 'Idempotency-Key': key });
    expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', text]);
    expect(await expectData(api.public.get<TransactionRecord>(`/transaction/${transactionId}`))).toMatchObject({
      status: 'approved',
      amount: 7.77,
    });
  }
  for (const key of open) await untilFinished(() => api.public.post('/transaction', saleOf(key), { 'Idempotency-Key': key }));
  expect(await pendingAt(api)).toBe(0);
}

test.each(ANY_DATABASE)(
  'loses no acknowledged sale or event and charges none twice after a kill -9 during sales (%s)',
  {
    timeout: 120_000,
  },
  async (database) => {
    const { dataDir, url } = await place(database);
    const flags = ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE];
    const receiver = await startReceiver();
    cleanUp.push(() => receiver.stop());
    const sent: string[] = [];
    for (let round = 1; round <= KILLS; round += 1) {
      const killed = await startServerProcess(dataDir, url, flags);
      const { admin } = apiOf(killed.baseUrl, killed.credentials);
      if (round === 1) await expectData(admin.post('/webhooks', { url: receiver.url(), events: ['transaction.approved'] }), 201);
      const sales = await sellUntilKilled(killed, SALES * round);
      sent.push(...sales.acknowledged.map(({ key }) => key), ...sales.open);
      await expireLeasesOfKilledServers(url);
      const next = await startHere(dataDir, url);
      await checkSales(next.api, sales);
      if (round < KILLS) await next.server.close();
      else await checkBooks(next.api);
    }

    async function checkBooks(api: Api): Promise<void> {
      const kept = new Set<string>();
      for (let page = 1; kept.size === (page - 1) * 200; page += 1) {
        const list = await expectData(
          api.admin.get<TransactionRecord[]>(`/transactions?minAmount=7.77&maxAmount=7.77&status=approved&limit=200&page=${page}`),
        );
        for (const { transactionId } of list) kept.add(transactionId);
      }
      const published = () => new Set(receiver.received.map(({ event }) => String(event.data.transactionId)));
      await until('the event of each stored sale is delivered', () => published().size >= kept.size);
      // No event belongs to a sale that was not stored.
      expect(published()).toEqual(kept);
      // Each stored sale is in the audit log once, and the chain of the log is valid.
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
      // Each key took money once, and the processor's ledger agrees with ours.
      expect(kept.size).toBe(sent.length);
      expect(await (await openBooks(dataDir, url))(777)).toBe(kept.size);
    }
  },
);

describe('a server process on SQLite', () => {
  let dataDir: string;
  let running: ServerProcess;
  beforeAll(async () => {
    ({ dataDir } = await place('sqlite'));
    running = await startServerProcess(dataDir, undefined, ['--log-level', 'silent']);
  });

  test('keeps a second server off its data directory, with a message that says so, and continues', async () => {
    await expect(startServer({ dataDir, port: 0, logLevel: 'silent' })).rejects.toThrow(
      /Another Paydesk server is using the data directory/,
    );
    expect((await fetch(`${running.baseUrl}/health`)).status).toBe(200);
  });

  test('answers the accepted requests after SIGTERM and exits with code 0', async () => {
    const api = apiOf(running.baseUrl, running.credentials);
    const answers = Array.from({ length: 20 }, () => api.public.post<TransactionRecord>('/transaction', saleOf('stop')));
    // A request that arrives after the signal gets 503 or no connection; an accepted one is answered.
    await Promise.race(answers);
    const code = await running.stop();
    const ids = (await Promise.allSettled(answers)).flatMap((answer) =>
      answer.status === 'fulfilled' && answer.value.status === 200 ? [answer.value.body.data.transactionId] : [],
    );
    expect(code).toBe(0);
    const after = await startHere(dataDir, undefined);
    for (const id of ids) await expectData(after.api.public.get(`/transaction/${id}`));
    expect(await pendingAt(after.api)).toBe(0);
  });
});

test.each(DATABASES)('concludes a payment whose answer was lost in a crash at the next start (%s)', FULL, async (database) => {
  const { dataDir, url } = await place(database);
  const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
  const api = apiOf(killed.baseUrl, killed.credentials);
  const bookedSales = await openBooks(dataDir, url);
  const before = await bookedSales(999);
  // The answer is lost for two seconds: the process is killed while it waits.
  const request = api.public
    .post('/transaction', { ...saleOf('lost'), Amount: '9.99', CardNumber: CARDS.answerLost })
    .catch(() => undefined);
  // A payment that the processor has not recorded yet would count as one that never arrived.
  await until('the processor has booked the payment', async () => (await bookedSales(999)) > before, { everyMs: 1 });
  await killed.kill();
  await request;
  const after = (await startHere(dataDir, url)).api;
  if (database === 'sqlite') {
    await until('the payment is settled', async () => (await pendingAt(after)) === 0);
    const { body } = await after.admin.get<TransactionRecord[]>('/transactions?q=9.99');
    expect(body.data[0]).toMatchObject({ status: 'approved', capturedAmount: 9.99 });
  } else {
    // Another workstation may still wait for the response: on a shared database an attempt is free only after its deadline.
    expect(await pendingAt(after)).toBe(1);
  }
});
