import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/gateways';
import { type RunningServer, startServer } from '#server';
import { freshDatabase } from '../support/postgres.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../support/receiver.ts';
import { CARDS, cardBody, type TransactionRecord } from '../support/sales.ts';
import { type Api, apiOf, expectData } from '../support/server.ts';

const QUEUE = '/refund-decline-queue';
const REFUNDS = 12;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Two stations on one database, with one master key. */
async function stations(): Promise<{ apis: [Api, Api]; url: string }> {
  const fresh = await freshDatabase();
  cleanUp.push(() => fresh.drop());
  const masterKey = randomBytes(32);
  const start = async (): Promise<RunningServer> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-station-'));
    cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServer({
      dataDir,
      port: 0,
      databaseUrl: fresh.url,
      masterKey,
      demo: true,
      logLevel: 'silent',
      sandboxTimeoutMs: 40,
      webhookCa: RECEIVER_CA_FILE,
    });
    cleanUp.push(() => server.close());
    return server;
  };
  const [one, two] = [await start(), await start()];
  const api = ({ baseUrl, credentials }: RunningServer) => {
    if (!credentials) throw new Error('the demo tells its credentials');
    return apiOf(baseUrl, credentials);
  };
  return { apis: [api(one), api(two)], url: fresh.url };
}

test('two servers under load on one database make each delivery once, in order, and each attempt of a refund once', {
  timeout: 60_000,
}, async () => {
  const { apis, url } = await stations();
  const [one] = apis;
  const receiver = await startReceiver();
  cleanUp.push(() => receiver.stop());
  await expectData(one.admin.post('/webhooks', { url: receiver.url(), events: ['*'] }), 201);

  const turns = Array.from({ length: REFUNDS }, (_, index) => apis[index % 2] as Api);
  const owed = await Promise.all(
    turns.map(async (api, index) => {
      const { transactionId } = await expectData(
        api.admin.post<TransactionRecord>('/transactions', cardBody(100 + index, CARDS.refundDeclined)),
      );
      await (apis[(index + 1) % 2] as Api).admin.post(`/transactions/${transactionId}/refund`);
      return transactionId;
    }),
  );
  const entries = await expectData(one.admin.get<{ id: string }[]>(`${QUEUE}?limit=200`));
  expect(entries).toHaveLength(REFUNDS);
  // Both stations run the queue at once, while people press retry on both.
  const retries = entries.flatMap(({ id }) => apis.map((api) => api.admin.post(`${QUEUE}/${id}/retry`)));
  const runs = await Promise.all([...apis, ...apis].map((api) => api.admin.post(`${QUEUE}/process-retries`)));
  expect(runs.every(({ status }) => status === 200)).toBe(true);
  await Promise.all(retries);
  await expect
    .poll(
      async () =>
        (await expectData(one.admin.get<{ status: string }[]>(`${QUEUE}?limit=200`))).every(({ status }) => status !== 'processing'),
      {
        timeout: 20_000,
      },
    )
    .toBe(true);

  let attempts = 0;
  for (const { id } of entries) {
    const entry = await expectData(one.admin.get<{ attempts: { result: string }[] }>(`${QUEUE}/${id}`));
    expect(entry.attempts.every(({ result }) => result === 'declined')).toBe(true);
    attempts += entry.attempts.length;
  }
  const ledger = await openSandboxLedger({ url });
  const [asked] = await ledger
    .readAcrossTenants()
    .all<{ n: number }>("SELECT count(*) AS n FROM sandbox_ledger WHERE operation = 'refund' AND approved = 0");
  await ledger.close();
  expect(asked?.n).toBe(REFUNDS + attempts);

  await receiver.waitFor('/', REFUNDS * 3);
  await expect
    .poll(async () => {
      const [endpoint] = await expectData(one.admin.get<{ last24Hours: { pending: number } }[]>('/webhooks'));
      return endpoint?.last24Hours.pending;
    })
    .toBe(0);
  const ids = receiver.received.map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const transactionId of owed) {
    const types = receiver.received.filter(({ event }) => event.data.transactionId === transactionId).map(({ event }) => event.type);
    expect(types.slice(0, 3)).toEqual(['transaction.approved', 'refund.declined', 'refund_decline_queue.created']);
  }
});
