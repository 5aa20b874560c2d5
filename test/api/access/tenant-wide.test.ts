import { expect, test } from 'vitest';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

describeOnAnyDatabase('merchant-bound callers', (fixture) => {
  test('refuses every change of the whole tenant to merchant-bound callers, and allows reads', async () => {
    const { api } = fixture();
    const { headers } = await createUser(fixture(), 'admin');
    const role = await expectData(api.admin.post<{ id: string }>('/roles', { name: 'Night shift', permissions: ['transactions'] }), 201);
    const changes = [
      api.bare.post('/api/v1/sandbox/reset', {}, headers),
      api.bare.post('/api/v1/sandbox/clock', { advanceSeconds: 60 }, headers),
      api.bare.post('/api/v1/sandbox/gateway', { mode: 'down' }, headers),
      api.bare.post('/api/v1/auth/signing-key/rotate', {}, headers),
      api.bare.post('/api/v1/roles', { name: 'Mine', permissions: ['transactions'] }, headers),
      api.bare.put(`/api/v1/roles/${role.id}`, { name: 'Mine' }, headers),
      api.bare.delete(`/api/v1/roles/${role.id}`, headers),
      api.bare.post('/api/v1/merchants', { name: 'Mine' }, headers),
    ];
    for (const change of changes) await expectError(change, 403, 'MERCHANT_NOT_AUTHORIZED');
    for (const path of ['/roles', '/sandbox/clock', '/sandbox/gateway']) await expectData(api.bare.get(`/api/v1${path}`, headers));
  });
});

describeOnAnyDatabase('the tier of an API key', (fixture) => {
  test('limits the tier of an API key to that of its tenant', async () => {
    const { api, credentials } = fixture();
    const { standardTenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const tenant = { 'X-Tenant-ID': standardTenantId };
    const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
    const headers = { ...tenant, Authorization: `Bearer ${token}` };
    const create = (tier?: string) =>
      api.bare.post<{ key: string }>(
        '/api/v1/api-keys',
        { name: `Tier ${tier}`, scope: 'tenant', tier, currentPassword: credentials.standardAdminPassword },
        headers,
      );
    // A sandbox tier has no limits, so it is above every limited one.
    for (const tier of ['professional', 'enterprise', 'sandbox']) await expectError(create(tier), 400, 'VALIDATION_ERROR', 'tier');
    for (const tier of ['standard', undefined]) {
      const { key } = await expectData(create(tier), 201);
      const answer = await api.bare.post('/api/v1/public/testConnection', undefined, { ...tenant, 'x-api-key': key });
      expect(Number(answer.headers.get('x-ratelimit-limit'))).toBe(100);
    }
  });
});

describeOnAnyDatabase('GET /auth/me', (fixture) => {
  test('shows the merchants without their fraud, routing, dunning and permission settings', async () => {
    const { api } = fixture();
    const role = await expectData(
      api.admin.post<{ id: string }>('/roles', { name: 'Reads payments', permissions: ['transactions:read'] }),
      201,
    );
    const { headers } = await createUser(fixture(), role.id);
    const { merchants } = await expectData(api.bare.get<{ merchants: Record<string, unknown>[] }>('/api/v1/auth/me', headers));
    const [merchant = {}] = merchants;
    expect(Object.keys(merchant)).toEqual(expect.arrayContaining(['merchantId', 'name', 'currency', 'timezone', 'vtSettings']));
    for (const name of ['fraud', 'routing', 'dunning', 'ceiling', 'allowPrivateWebhookTargets', 'publicUrl', 'deletedAt'])
      expect(merchant).not.toHaveProperty(name);
  });
});
