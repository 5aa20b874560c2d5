import { afterAll, expect, test } from 'vitest';
import type { DemoCredentials } from '#server';
import { surfaceOf } from '../../support/api-client.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSale } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, FULL, sized, startTestServer } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../support/webhook-receiver.ts';
import { type DeliveryRecord, type EndpointRecord, listDeliveries, registerEndpoint } from '../../support/webhooks.ts';

const DEAD = sized(6, 20);
const SALES = sized(6, 20);
/** Longer than any test, so that an attempt at a silent receiver does not end during one. */
const NEVER_MS = 600_000;

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test.each(ANY_DATABASE)(
  'delays no delivery to a responding endpoint because of endpoints that never answer (%s)',
  FULL,
  async (database) => {
    const { server, stop } = await startTestServer(database, { webhookTimeoutMs: NEVER_MS });
    cleanUp.push(stop);
    const { baseUrl, credentials } = server;
    if (!credentials) throw new Error('A server with --demo has credentials.');
    const service = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
    const healthy = await startReceiver();
    cleanUp.push(() => healthy.stop());
    await registerEndpoint(service, healthy.url(), ['transaction.approved']);
    const dead = await Promise.all(Array.from({ length: DEAD }, () => startReceiver()));
    // Cuts the connections, which ends the attempts before the server stops.
    cleanUp.push(() => Promise.all(dead.map((receiver) => receiver.stop())));
    for (const receiver of dead) {
      receiver.answer = () => {};
      await registerEndpoint(service, receiver.url(), ['transaction.approved']);
    }
    const sold = await Promise.all(Array.from({ length: SALES }, () => createSale(service, 90)));
    await healthy.waitFor('/', SALES);
    // By now each of the other endpoints has a pending attempt and more deliveries in its queue.
    await Promise.all(dead.map((receiver) => receiver.waitFor('/', 1)));
    sold.push(await createSale(service, 90));
    const received = await healthy.waitFor('/', SALES + 1);
    expect(received.map(({ event }) => event.data.transactionId).toSorted()).toEqual(
      sold.map(({ transactionId }) => transactionId).toSorted(),
    );
  },
);

test.each(ANY_DATABASE)(
  'sends everything in the same bytes after the sending server was killed (%s)',
  { timeout: 120_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    const receiver = await startReceiver();
    cleanUp.push(() => receiver.stop());
    const fixtureOf = (baseUrl: string, credentials: DemoCredentials | undefined) => {
      if (!credentials) throw new Error('A server with --demo has credentials.');
      return { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
    };

    receiver.answer = () => {};
    const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE]);
    const before = fixtureOf(killed.baseUrl, killed.credentials);
    const endpoint = await registerEndpoint(before, receiver.url(), ['transaction.approved', 'refund.processed']);
    const { transactionId } = await createSale(before, 91);
    const [first] = await receiver.waitFor('/', 1);
    await expectData(before.api.admin.post(`/transactions/${transactionId}/refund`));
    await killed.kill();
    await expireLeasesOfKilledServers(url);

    receiver.answer = (_, response) => void response.writeHead(200).end();
    const next = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', webhookCa: RECEIVER_CA_FILE });
    cleanUp.push(() => next.close());
    const after = fixtureOf(next.baseUrl, next.credentials);
    const received = await receiver.waitFor('/', 3);
    expect(received.map(({ event }) => event.type)).toEqual(['transaction.approved', 'transaction.approved', 'refund.processed']);
    expect(received[1]?.body).toBe(first?.body);
    // The receiver answers before the server has stored the result.
    await expect.poll(async () => (await listDeliveries(after, endpoint)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    expect(receiver.received).toHaveLength(3);
  },
);

test.each(ANY_DATABASE)(
  'sends to private addresses of a live account only if the operator allowed the host and the setting is on (%s)',
  async (database) => {
    const receiver = await startReceiver();
    cleanUp.push(() => receiver.stop());
    const { port } = new URL(receiver.url());
    const { server, stop } = await startTestServer(database, { privateHosts: `localhost:${port}` }, 'none');
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
    const made = await expectData(bare.post<{ token: string; tenantId: string; merchantId: string }>('/setup', owner));
    const api = surfaceOf(server.baseUrl, '/api/v1', () => ({ 'X-Tenant-ID': made.tenantId, authorization: `Bearer ${made.token}` }));
    const kindAt = async (host: string) => {
      const { id } = await expectData(api.post<EndpointRecord>('/webhooks', { url: `https://${host}:${port}/`, events: ['*'] }), 201);
      const sent = await expectData(api.post<DeliveryRecord>(`/webhooks/${id}/test`, { eventType: 'transaction.approved' }));
      return sent.error?.kind ?? null;
    };
    expect(await kindAt('localhost')).toBe('blocked');
    await expectData(api.put(`/merchants/${made.merchantId}/settings`, { allowPrivateWebhookTargets: true }));
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '2130706433',
      '10.0.0.1',
      '192.168.0.1',
      '169.254.169.254',
    ]) {
      expect({ host, kind: await kindAt(host) }).toEqual({ host, kind: 'blocked' });
    }
    expect(receiver.connections()).toBe(0);
    expect(await kindAt('localhost')).toBeNull();
  },
);
