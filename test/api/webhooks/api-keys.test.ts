import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Surface, surfaceOf } from '../../support/api-client.ts';
import { startLiveServer } from '../../support/live-server.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { type DeliveryRecord, type EndpointRecord, hmac, registerEndpoint } from '../../support/webhooks.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

/** Returns the Public surface with a new key. */
async function keyOf({ api, baseUrl, credentials }: ApiFixture, more: object): Promise<Surface> {
  const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', { name: 'shop', scope: 'merchant', ...more }), 201);
  return surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
}

const URL = 'https://shop.example/hooks';

describeOnAnyDatabase('webhook endpoints of an API key', (fixture) => {
  test('are registered, read, changed, tested and deleted with the key of a merchant', async () => {
    const merchantId = await createMerchant(fixture());
    const shop = await keyOf(fixture(), { merchantId });
    const path = `/shop-${merchantId}`;
    const body = { url: receiver.url(path), events: ['transaction.approved'] };
    const endpoint = await expectData(shop.post<EndpointRecord>('/webhooks', body), 201);
    expect(endpoint).toMatchObject({ merchantId, status: 'active', secret: expect.any(String) });
    await sell(fixture(), merchantId, 12);
    const [received] = await receiver.waitFor(path, 1);
    expect(received?.headers['x-service-signature']).toBe(hmac(endpoint.secret, received?.body ?? ''));
    const at = `/webhooks/${endpoint.id}`;
    expect(await expectData(shop.get<EndpointRecord[]>('/webhooks'))).toMatchObject([{ id: endpoint.id }]);
    expect(await expectData(shop.put<EndpointRecord>(at, { status: 'disabled' }))).toMatchObject({ status: 'disabled' });
    await expectData(shop.put(at, { status: 'active' }));
    const rotated = await expectData(shop.post<EndpointRecord>(`${at}/rotate-secret`, {}));
    expect(rotated.secret).not.toBe(endpoint.secret);
    const tested = await expectData(shop.post<DeliveryRecord>(`${at}/test`, { eventType: 'refund.processed' }));
    expect(tested).toMatchObject({ status: 'delivered', test: true });
    const deliveries = await expectData(shop.get<DeliveryRecord[]>(`${at}/deliveries`));
    expect(deliveries.map(({ id }) => id)).toContain(tested.id);
    expect(await expectData(shop.post(`${at}/deliveries/${tested.id}/redeliver`, {}))).toMatchObject({ status: 'delivered' });
    expect(await expectData(shop.delete(at))).toEqual({ id: endpoint.id, deleted: true });
    await expectError(shop.get(at), 404, 'NOT_FOUND');
  });

  test('cause a message to the owners when a key adds or moves one', async () => {
    const { api } = fixture();
    const shop = await keyOf(fixture(), { merchantId: fixture().credentials.merchantId });
    const { id } = await expectData(shop.post<EndpointRecord>('/webhooks', { url: 'https://first.example/key', events: ['*'] }), 201);
    await expectData(shop.put(`/webhooks/${id}`, { url: 'https://second.example/key' }));
    const messages = await expectData(api.admin.get<{ subject: string; body: string }[]>('/sandbox/messages?limit=200'));
    const told = messages.filter(({ subject }) => subject === 'Someone changed where your Paydesk account sends data');
    const texts = told.map(({ body }) => body).join();
    expect(texts).toContain('https://first.example/key now receives events');
    expect(texts).toContain('now sends events to https://second.example/key');
    const activity = await expectData(api.admin.get<{ resource: string }[]>('/security-activity?kind=destination-changed&limit=200'));
    expect(activity.filter(({ resource }) => resource === `webhooks/${id}`).length).toBeGreaterThanOrEqual(2);
    await expectData(api.admin.delete(`/webhooks/${id}`));
  });

  test('are out of reach of a key without the permission, of another merchant, or of a client token', async () => {
    const { api, credentials } = fixture();
    const { merchantId } = credentials;
    const { id } = await expectData(api.admin.post<EndpointRecord>('/webhooks', { url: URL, events: ['*'], merchantId }), 201);
    const leaked = await keyOf(fixture(), { merchantId, permissions: ['transactions', 'webhooks:read'] });
    const other = await keyOf(fixture(), { merchantId: await createMerchant(fixture()) });
    const at = `/webhooks/${id}`;
    const changes = (key: Surface) => [
      key.put(at, { url: 'https://thief.example/' }),
      key.post(`${at}/rotate-secret`, {}),
      key.post(`${at}/test`, { eventType: 'transaction.approved' }),
      key.post(`${at}/catch-up`, { fromDate: '2020-01-01' }),
      key.post(`${at}/deliveries/redeliver-failed`, { since: '2020-01-01' }),
      key.delete(at),
    ];
    for (const refused of [leaked.post('/webhooks', { url: 'https://thief.example/', events: ['*'] }), ...changes(leaked)])
      await expectError(refused, 403, 'PERMISSION_DENIED');
    for (const refused of [other.get(at), other.get(`${at}/deliveries`), ...changes(other)])
      await expectError(refused, 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(other.post('/webhooks', { url: URL, events: ['*'], merchantId }), 403, 'MERCHANT_NOT_AUTHORIZED');
    expect(await expectData(other.get('/webhooks'))).toEqual([]);
    const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}));
    const byToken = { 'X-Tenant-ID': credentials.tenantId, 'x-client-token': clientToken };
    await expectError(api.bare.post('/api/v1/public/webhooks', { url: URL, events: ['*'] }, byToken), 401, 'UNAUTHORIZED');
    expect(await expectData(api.admin.get(at))).toMatchObject({ url: URL, events: ['*'] });
    await expectData(api.admin.delete(at));
  });

  test('never receive the security events of the account', async () => {
    const { api } = fixture();
    const whole = await keyOf(fixture(), { scope: 'tenant' });
    await expectError(whole.post('/webhooks', { url: URL, events: ['security.*'] }), 403, 'PERMISSION_DENIED');
    const { id } = await registerEndpoint(fixture(), URL, ['security.sign_in']);
    await expectError(whole.put(`/webhooks/${id}`, { url: 'https://thief.example/' }), 403, 'PERMISSION_DENIED');
    expect((await expectData(whole.get<EndpointRecord[]>('/webhooks'))).map((each) => each.id)).not.toContain(id);
    await expectData(api.admin.delete(`/webhooks/${id}`));
  });

  test('need HTTPS and a plain address', async () => {
    const { api } = fixture();
    for (const url of ['http://shop.example/', 'https://user:password@shop.example/', 'file:///etc/passwd'])
      await expectError(api.public.post('/webhooks', { url, events: ['*'] }), 400, 'VALIDATION_ERROR', 'url');
  });
});

test('a live account lets a key manage endpoints only if the permission is named, and sends nothing to private addresses', async () => {
  const live = await startLiveServer('sqlite');
  try {
    const { admin } = live.api;
    const made = async (permissions?: string[]) => {
      const body = { name: 'shop', scope: 'merchant', merchantId: live.merchantId, permissions, currentPassword: live.owner.password };
      const { key } = await expectData(admin.post<{ key: string }>('/api-keys', body), 201);
      return surfaceOf(live.baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': live.tenantId, 'x-api-key': key }));
    };
    await expectError((await made()).post('/webhooks', { url: URL, events: ['*'] }), 403, 'PERMISSION_DENIED');
    const named = await made(['webhooks']);
    const { port } = new globalThis.URL(receiver.url('/'));
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.5', '169.254.169.254']) {
      const { id } = await expectData(named.post<EndpointRecord>('/webhooks', { url: `https://${host}:${port}/`, events: ['*'] }), 201);
      const tested = await expectData(named.post<DeliveryRecord>(`/webhooks/${id}/test`, { eventType: 'transaction.approved' }));
      expect(tested, host).toMatchObject({ status: 'failed', error: { kind: 'blocked' } });
      await expectData(named.delete(`/webhooks/${id}`));
    }
  } finally {
    await live.stop();
  }
});
