import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { type EndpointRecord, hmac, registerEndpoint } from '../../support/webhooks.ts';

interface Activity {
  id: string;
  kind: string;
  action: string;
  resource: string;
}

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const signIn = ({ api, credentials }: ApiFixture, email: string, password: string) =>
  api.bare.post('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': credentials.tenantId, 'User-Agent': 'Register/1' });

describeOnAnyDatabase('security events', (fixture) => {
  test('delivers each security event once, signed, with the fields of the audit entry', async () => {
    const { api, credentials } = fixture();
    const path = `/activity-${credentials.tenantId}`;
    const endpoint = await registerEndpoint(fixture(), receiver.url(path), ['security.*']);
    const { userId, email, password } = await createUser(fixture(), 'cashier');
    await expectError(signIn(fixture(), email, 'a wrong password'), 401, 'INVALID_CREDENTIALS');
    await expectData(signIn(fixture(), email, password));
    await expectData(api.admin.put(`/merchants/${credentials.merchantId}/users/${userId}`, { role: 'manager' }));
    const body = { name: 'till', scope: 'tenant', currentPassword: credentials.adminPassword };
    const { id: keyId, key } = await expectData(api.admin.post<{ id: string; key: string }>('/api-keys', body), 201);
    // The sign-in of createUser is a security event too.
    const expected = [
      ...(await expectData(api.admin.get<Activity[]>(`/security-activity?limit=200&user=${userId}`))),
      ...(await expectData(api.admin.get<Activity[]>(`/security-activity?limit=200&user=${keyId}`))),
      ...(await expectData(api.admin.get<Activity[]>('/security-activity?limit=200&kind=destination-changed'))).filter(
        ({ resource }) => resource === `webhooks/${endpoint.id}`,
      ),
    ];
    expect(new Set(expected.map(({ kind }) => kind))).toEqual(
      new Set(['role-changed', 'sign-in', 'new-device', 'sign-in-failed', 'key-changed', 'destination-changed']),
    );
    const received = await receiver.waitFor(path, expected.length);
    expect(received.map(({ event }) => event.data).toSorted(byId)).toEqual(expected.toSorted(byId));
    for (const { event, headers, body: bytes } of received) {
      expect(event.type).toBe(`security.${String(event.data.kind).replaceAll('-', '_')}`);
      expect(event).toMatchObject({ tenantId: credentials.tenantId, merchantId: null });
      expect(headers['x-service-signature']).toBe(hmac(endpoint.secret, bytes));
      for (const secret of [key, password, credentials.adminPassword]) expect(bytes).not.toContain(secret);
    }
    await expectData(api.admin.delete(`/webhooks/${endpoint.id}`));
  });

  test('delivers security events only to endpoints that name them, not to endpoints for every type', async () => {
    const { api, credentials } = fixture();
    const [every, failures] = [`/every-${credentials.tenantId}`, `/failures-${credentials.tenantId}`];
    const all = await registerEndpoint(fixture(), receiver.url(every), ['*']);
    const named = await registerEndpoint(fixture(), receiver.url(failures), ['security.sign_in_failed', 'transaction.approved']);
    await expectError(signIn(fixture(), 'unknown@demo.example', 'a wrong password'), 401, 'INVALID_CREDENTIALS');
    await expectData(signIn(fixture(), credentials.adminEmail, credentials.adminPassword));
    await expectData(api.admin.post('/transactions', cardBody(12)));
    const types = async (path: string, count: number) => (await receiver.waitFor(path, count)).map(({ event }) => event.type);
    expect((await types(failures, 2)).toSorted()).toEqual(['security.sign_in_failed', 'transaction.approved']);
    expect(await types(every, 1)).toEqual(['transaction.approved']);
    const deliveries = await expectData(api.admin.get<{ eventType: string }[]>(`/webhooks/${all.id}/deliveries`));
    expect(deliveries.map(({ eventType }) => eventType)).toEqual(['transaction.approved']);
    for (const { id } of [all, named]) await expectData(api.admin.delete(`/webhooks/${id}`));
  });
});

const byId = (one: { id?: unknown }, other: { id?: unknown }) => (String(one.id) < String(other.id) ? -1 : 1);

describeOnAnyDatabase('endpoints with security events', (fixture) => {
  test('allows access to endpoints with security events to owners only, on every route', async () => {
    const { api } = fixture();
    const endpoint = await registerEndpoint(fixture(), 'https://shop.example/owner', ['security.*', 'transaction.approved']);
    const plain = await registerEndpoint(fixture(), 'https://shop.example/plain');
    const { id: deliveryId } = await expectData(
      api.admin.post<{ id: string }>(`/webhooks/${endpoint.id}/test`, { eventType: 'security.sign_in' }),
    );
    const admin = await createUser(fixture(), 'admin', { allMerchants: true });
    const manager = await createUser(fixture(), 'manager');
    for (const { headers } of [admin, manager]) {
      const at = `/webhooks/${endpoint.id}`;
      const denied = async (answer: ReturnType<typeof api.admin.get>) => expect((await answer).status).toBe(403);
      await denied(api.admin.get(at, headers));
      await denied(api.admin.put(at, { url: 'https://other.example/' }, headers));
      await denied(api.admin.put(at, { events: ['transaction.approved'] }, headers));
      await denied(api.admin.delete(at, headers));
      await denied(api.admin.post(`${at}/rotate-secret`, {}, headers));
      await denied(api.admin.post(`${at}/test`, { eventType: 'security.sign_in' }, headers));
      await denied(api.admin.get(`${at}/deliveries`, headers));
      await denied(api.admin.get(`${at}/deliveries/${deliveryId}`, headers));
      await denied(api.admin.post(`${at}/deliveries/${deliveryId}/redeliver`, {}, headers));
      await denied(api.admin.post(`${at}/deliveries/redeliver-failed`, { since: '2026-01-01T00:00:00Z' }, headers));
      await denied(api.admin.post('/webhooks', { url: 'https://other.example/', events: ['security.sign_in'] }, headers));
      await denied(api.admin.put(`/webhooks/${plain.id}`, { events: ['*', 'security.*'] }, headers));
      const listed = await expectData(api.admin.get<EndpointRecord[]>('/webhooks?limit=200', headers));
      expect(listed.map(({ id }) => id)).not.toContain(endpoint.id);
    }
    const listed = await expectData(api.admin.get<EndpointRecord[]>('/webhooks', admin.headers));
    expect(listed.map(({ id }) => id)).toContain(plain.id);
    expect(await expectData(api.admin.get(`/webhooks/${endpoint.id}`))).toMatchObject({ url: 'https://shop.example/owner' });
    await expectError(api.admin.get(`/webhooks/${endpoint.id}`, admin.headers), 403, 'PERMISSION_DENIED');
    for (const { id } of [endpoint, plain]) await expectData(api.admin.delete(`/webhooks/${id}`));
  });

  test('refuses an endpoint with security events for one merchant', async () => {
    const { api, credentials } = fixture();
    const body = { url: 'https://shop.example/', events: ['security.sign_in'], merchantId: credentials.merchantId };
    await expectError(api.admin.post('/webhooks', body), 400, 'VALIDATION_ERROR', 'events');
    const { id } = await expectData(api.admin.post<EndpointRecord>('/webhooks', { ...body, events: ['*'] }), 201);
    await expectError(api.admin.put(`/webhooks/${id}`, { events: ['security.*'] }), 400, 'VALIDATION_ERROR', 'events');
    await expectData(api.admin.delete(`/webhooks/${id}`));
  });

  test('allows access to others again once the security events are removed', async () => {
    const { api } = fixture();
    const { id } = await registerEndpoint(fixture(), 'https://shop.example/both', ['security.new_device', 'invoice.paid']);
    const { headers } = await createUser(fixture(), 'admin', { allMerchants: true });
    await expectError(api.admin.get(`/webhooks/${id}`, headers), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.put(`/webhooks/${id}`, { events: ['invoice.paid'] }));
    expect(await expectData(api.admin.get(`/webhooks/${id}`, headers))).toMatchObject({ events: ['invoice.paid'] });
    await expectData(api.admin.delete(`/webhooks/${id}`, headers));
  });
});
