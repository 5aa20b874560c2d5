import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, type DeliveryRecord, type EndpointRecord, hmac, listDeliveries, registerEndpoint } from '../../support/webhooks.ts';

const UNKNOWN = 'whe_00000000000000000000000000';

let receiver: Receiver;
let stranger: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  stranger = await startReceiver('stranger');
});
afterAll(() => Promise.all([receiver.stop(), stranger.stop()]));

describeOnAnyDatabase('webhook endpoints', (fixture) => {
  afterEach(() => {
    receiver.answers.clear();
    receiver.received.length = 0;
  });

  test('creates, lists, reads, changes and deletes an endpoint under both paths, and shows its secret once', async () => {
    const { api } = fixture();
    for (const base of ['/webhooks', '/webhooks/endpoints']) {
      const body = { url: 'https://shop.example/hooks', events: ['transaction.approved', 'refund.approved'], description: 'Shop' };
      const made = await expectData(api.admin.post<EndpointRecord>(base, body), 201);
      expect(made).toMatchObject({ ...body, status: 'active', secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
      const read = await api.admin.get<EndpointRecord>(`${base}/${made.id}`);
      expect(await expectData(read)).toMatchObject({ id: made.id, last24Hours: { attempts: 0, successRate: null, pending: 0 } });
      expect(read.text).not.toContain('whsec_');
      const listed = await api.admin.get<EndpointRecord[]>(base);
      expect((await expectData(listed))[0]?.id).toBe(made.id);
      expect(listed.body.pagination).toMatchObject({ page: 1, limit: 50 });
      expect(listed.text).not.toContain('whsec_');
      const changed = await expectData(api.admin.put(`${base}/${made.id}`, { events: ['*'], status: 'disabled', description: null }));
      expect(changed).toMatchObject({ events: ['*'], status: 'disabled', description: null, url: body.url });
      expect(await expectData(api.admin.delete(`${base}/${made.id}`))).toEqual({ id: made.id, deleted: true });
      await expectError(api.admin.get(`${base}/${made.id}`), 404, 'NOT_FOUND');
    }
  });

  test.each([
    ['no URL', { events: ['*'] }, 'REQUIRED_FIELD_MISSING', 'url'],
    ['plain HTTP', { url: 'http://shop.example/', events: ['*'] }, 'VALIDATION_ERROR', 'url'],
    ['no address', { url: 'shop', events: ['*'] }, 'VALIDATION_ERROR', 'url'],
    ['a password in the address', { url: 'https://a:b@shop.example/', events: ['*'] }, 'VALIDATION_ERROR', 'url'],
    ['a fragment', { url: 'https://shop.example/#x', events: ['*'] }, 'VALIDATION_ERROR', 'url'],
    ['no events', { url: 'https://shop.example/' }, 'REQUIRED_FIELD_MISSING', 'events'],
    ['an empty list', { url: 'https://shop.example/', events: [] }, 'VALIDATION_ERROR', 'events'],
    ['an unknown type', { url: 'https://shop.example/', events: ['transaction.exploded'] }, 'VALIDATION_ERROR', 'events'],
    ['a type that is no text', { url: 'https://shop.example/', events: [7] }, 'VALIDATION_ERROR', 'events'],
    [
      'a long description',
      { url: 'https://shop.example/', events: ['*'], description: 'x'.repeat(501) },
      'VALIDATION_ERROR',
      'description',
    ],
  ])('refuses an endpoint with %s', async (_, body, code, field) => {
    await expectError(fixture().api.admin.post('/webhooks', body), 400, code, field);
  });

  test('returns NOT_FOUND for unknown endpoints and deliveries, and for those of another tenant', async () => {
    const { api, credentials, baseUrl } = fixture();
    const login = await fetch(`${baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Tenant-ID': credentials.standardTenantId },
      body: JSON.stringify({ email: credentials.standardAdminEmail, password: credentials.standardAdminPassword }),
    });
    const { data } = (await login.json()) as { data: { token: string } };
    const foreign = { 'X-Tenant-ID': credentials.standardTenantId, authorization: `Bearer ${data.token}` };
    const mine = await registerEndpoint(fixture(), 'https://shop.example/mine');
    for (const [id, headers] of [
      [UNKNOWN, {}],
      [mine.id, foreign],
    ] as const) {
      const at = `/webhooks/${id}`;
      await expectError(api.admin.get(at, headers), 404, 'NOT_FOUND');
      await expectError(api.admin.put(at, {}, headers), 404, 'NOT_FOUND');
      await expectError(api.admin.delete(at, headers), 404, 'NOT_FOUND');
      await expectError(api.admin.post(`${at}/test`, { eventType: 'transaction.approved' }, headers), 404, 'NOT_FOUND');
      await expectError(api.admin.post(`${at}/rotate-secret`, undefined, headers), 404, 'NOT_FOUND');
      await expectError(api.admin.get(`${at}/deliveries`, headers), 404, 'NOT_FOUND');
      await expectError(api.admin.post(`${at}/deliveries/redeliver-failed`, { since: '2026-01-01' }, headers), 404, 'NOT_FOUND');
    }
    await expectError(api.admin.get(`/webhooks/${mine.id}/deliveries/dlv_1`), 404, 'NOT_FOUND');
    await expectError(api.admin.post(`/webhooks/${mine.id}/deliveries/dlv_1/redeliver`), 404, 'NOT_FOUND');
    await expectData(api.admin.delete(`/webhooks/${mine.id}`));
  });

  test('sends a signed test event of the type once, and returns its result', async () => {
    const { api } = fixture();
    const endpoint = await registerEndpoint(fixture(), receiver.url('/test'), ['invoice.paid']);
    const sent = await expectData(api.admin.post<DeliveryRecord>(`/webhooks/${endpoint.id}/test`, { eventType: 'refund.processed' }));
    expect(sent).toMatchObject({ status: 'delivered', responseStatus: 200, test: true, attemptCount: 1, error: null });
    const [received] = receiver.receivedAt('/test');
    expect(received?.event).toMatchObject({ type: 'refund.processed', test: true, data: { amount: 49.99, status: 'approved' } });
    expect(received?.headers['x-service-signature']).toBe(hmac(endpoint.secret, received?.body ?? ''));
    expect(sent.body).toBe(received?.body);
    receiver.answers.set('/test', refuse(410));
    const failed = await expectData(api.admin.post<DeliveryRecord>(`/webhooks/${endpoint.id}/test`, { eventType: 'chargeback.lost' }));
    expect(failed).toMatchObject({ status: 'failed', responseStatus: 410, error: { kind: 'status' }, nextAttemptAt: null });
    await advanceClock(fixture(), 86_400);
    expect((await listDeliveries(fixture(), endpoint)).map(({ attemptCount }) => attemptCount)).toEqual([1, 1]);
    expect(await expectData(api.admin.get<EndpointRecord>(`/webhooks/${endpoint.id}`))).toMatchObject({ last24Hours: { pending: 0 } });
    await expectError(api.admin.post(`/webhooks/${endpoint.id}/test`, { eventType: 'no.such' }), 400, 'VALIDATION_ERROR', 'eventType');
    await expectError(api.admin.post(`/webhooks/${endpoint.id}/test`, {}), 400, 'REQUIRED_FIELD_MISSING', 'eventType');
    await expectData(api.admin.delete(`/webhooks/${endpoint.id}`));
  });

  test('distinguishes every kind of failure', async () => {
    const { api } = fixture();
    const { port } = new URL(fixture().baseUrl);
    receiver.answers.set('/moved', refuse(302, { location: 'https://elsewhere.example/' }));
    receiver.answers.set('/created', refuse(201));
    receiver.answers.set('/reset', (_, __, socket) => void socket.destroy());
    const closed = await startReceiver();
    await closed.stop();
    const cases: [string, string][] = [
      [receiver.url('/moved'), 'redirect'],
      [receiver.url('/created'), 'status'],
      [receiver.url('/reset'), 'connection'],
      [closed.url('/'), 'connection'],
      [stranger.url('/'), 'tls'],
      ['https://nowhere.invalid/', 'dns'],
      [`https://localhost:${port}/`, 'blocked'],
      [`https://127.0.0.1:${port}/`, 'blocked'],
      [`https://[::ffff:127.0.0.1]:${port}/`, 'blocked'],
      ['https://0.0.0.0/', 'blocked'],
      ['https://169.254.169.254/latest/', 'blocked'],
      ['https://[64:ff9b::7f00:1]/', 'blocked'],
    ];
    for (const [url, kind] of cases) {
      const endpoint = await registerEndpoint(fixture(), url);
      const sent = await expectData(api.admin.post<DeliveryRecord>(`/webhooks/${endpoint.id}/test`, { eventType: 'refund.processed' }));
      expect({ url, kind: sent.error?.kind }).toEqual({ url, kind });
      expect(sent.status).toBe('failed');
      await expectData(api.admin.delete(`/webhooks/${endpoint.id}`));
    }
  });

  test('records an attempt whatever bytes the receiver responds with', async () => {
    const { api } = fixture();
    receiver.answers.set('/bytes', (_, response) => void response.writeHead(500).end(Buffer.from([0, 65, 0xff, 0xed, 0xa0, 0x80, 0])));
    const endpoint = await registerEndpoint(fixture(), receiver.url('/bytes'));
    const sent = await expectData(api.admin.post<DeliveryRecord>(`/webhooks/${endpoint.id}/test`, { eventType: 'refund.processed' }));
    expect(sent.attempts).toMatchObject([{ responseStatus: 500, responseBody: expect.stringContaining('A') }]);
    await expectData(api.admin.delete(`/webhooks/${endpoint.id}`));
  });

  test('limits test deliveries to ten a minute', async () => {
    const { api, credentials } = fixture();
    const { standardTenantId: tenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const login = await expectData(
      api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId }),
    );
    const headers = { 'X-Tenant-ID': tenantId, authorization: `Bearer ${login.token}` };
    const tests = await Promise.all(
      Array.from({ length: 21 }, () => api.bare.post('/api/v1/webhooks/none/test', { eventType: 'refund.processed' }, headers)),
    );
    // If the minute changes, there are two windows of at most ten.
    expect(new Set(tests.map(({ status }) => status))).toEqual(new Set([404, 429]));
  });

  test('refuses to register an endpoint without a sign-in', async () => {
    const { api } = fixture();
    await expectError(api.bare.post('/api/v1/webhooks', {}), 401, 'TENANT_REQUIRED');
    await expectError(
      api.admin.post('/webhooks', { url: 'https://shop.example/', events: ['*'] }, { authorization: '' }),
      401,
      'UNAUTHORIZED',
    );
  });
});
