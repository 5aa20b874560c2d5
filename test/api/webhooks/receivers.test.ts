import { afterAll, expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { timeOutKilled } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/receiver.ts';
import { sale } from '../../support/sales.ts';
import { seededPlace } from '../../support/seeded.ts';
import { apiOf, DATABASES, describeOnBothDatabases, expectData, startTestServer } from '../../support/server.ts';
import { type DeliveryRecord, deliveriesOf, type EndpointRecord, register } from '../../support/webhooks.ts';

const DEAD = 20;
const SALES = 20;
/** An attempt is given up after five seconds: whatever is done before that did not wait for one. */
const ATTEMPT_MS = 5_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

describeOnBothDatabases('dead receivers', (fixture) => {
  test('twenty endpoints that never answer hold back nothing of one that does', async () => {
    const on = fixture();
    const healthy = await startReceiver();
    cleanUp.push(() => healthy.stop());
    const endpoints = [await register(on, healthy.url(), ['transaction.approved'])];
    const dead = await Promise.all(Array.from({ length: DEAD }, () => startReceiver()));
    for (const receiver of dead) {
      cleanUp.push(() => receiver.stop());
      receiver.answer = () => {};
      endpoints.push(await register(on, receiver.url(), ['transaction.approved']));
    }
    const sold = await Promise.all(Array.from({ length: SALES }, () => sale(on, 90)));
    await healthy.waitFor('/', SALES);
    // By now each of the others keeps an attempt waiting, and has more behind it.
    await Promise.all(dead.map((receiver) => receiver.waitFor('/', 1)));
    const began = performance.now();
    sold.push(await sale(on, 90));
    const told = await healthy.waitFor('/', SALES + 1);
    expect(performance.now() - began).toBeLessThan(ATTEMPT_MS);
    expect(told.map(({ event }) => event.data.transactionId).toSorted()).toEqual(sold.map(({ transactionId }) => transactionId).toSorted());
    for (const { id } of endpoints) await on.api.admin.delete(`/webhooks/${id}`);
  });
});

test.each(DATABASES)(
  'a server that is killed while it sends leaves nothing unsent, and sends the same bytes (%s)',
  {
    timeout: 120_000,
  },
  async (database) => {
    const { dataDir, url, remove } = await seededPlace(database);
    cleanUp.push(remove);
    const receiver = await startReceiver();
    cleanUp.push(() => receiver.stop());
    const start = async () => {
      const server = await startServerProcess(dataDir, url, ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE]);
      cleanUp.push(() => server.kill());
      return server;
    };
    const fixtureOf = ({ baseUrl, credentials }: Awaited<ReturnType<typeof start>>) => ({
      database,
      baseUrl,
      credentials,
      api: apiOf(baseUrl, credentials),
    });

    receiver.answer = () => {};
    const killed = await start();
    const endpoint = await register(fixtureOf(killed), receiver.url(), ['transaction.approved', 'refund.processed']);
    const { transactionId } = await sale(fixtureOf(killed), 91);
    const [first] = await receiver.waitFor('/', 1);
    await expectData(fixtureOf(killed).api.admin.post(`/transactions/${transactionId}/refund`));
    await killed.kill();
    await timeOutKilled(url);

    receiver.answer = (_, response) => void response.writeHead(200).end();
    const again = await start();
    const received = await receiver.waitFor('/', 3);
    expect(received.map(({ event }) => event.type)).toEqual(['transaction.approved', 'transaction.approved', 'refund.processed']);
    expect(received[1]?.body).toBe(first?.body);
    // An acknowledgement reaches the receiver's side before our own record of it is written; stopping waits for that.
    await again.stop();
    const last = await start();
    expect((await deliveriesOf(fixtureOf(last), endpoint)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    expect(receiver.received).toHaveLength(3);
  },
);

test.each(DATABASES)('a live account sends to the open internet only: this machine and its networks are refused (%s)', async (database) => {
  const receiver = await startReceiver();
  cleanUp.push(() => receiver.stop());
  const { server, stop } = await startTestServer(database, { demo: false });
  cleanUp.push(stop);
  const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
  const owner = {
    businessName: 'Pier Street Books',
    currency: 'USD',
    timezone: 'America/New_York',
    email: 'owner@pier.example',
    password: 'a long enough passphrase',
    environment: 'live',
  };
  const made = await expectData(bare.post<{ token: string; tenantId: string }>('/setup', owner));
  const api = surfaceOf(server.baseUrl, '/api/v1', () => ({ 'X-Tenant-ID': made.tenantId, authorization: `Bearer ${made.token}` }));
  const { port } = new URL(receiver.url());
  for (const host of [
    'localhost',
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
  ]) {
    const { id } = await expectData(api.post<EndpointRecord>('/webhooks', { url: `https://${host}:${port}/`, events: ['*'] }), 201);
    const sent = await expectData(api.post<DeliveryRecord>(`/webhooks/${id}/test`, { eventType: 'transaction.approved' }));
    expect({ host, kind: sent.error?.kind }).toEqual({ host, kind: 'blocked' });
  }
  expect(receiver.connections()).toBe(0);
});
