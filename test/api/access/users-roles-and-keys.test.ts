import { expect, test } from 'vitest';
import { createPerson } from '../../support/approvals.ts';
import { cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError, onAnyDatabase } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser, signInAs } from '../../support/users.ts';

interface User {
  userId: string;
  role: string;
  permissions: string[];
  ownPermissions: boolean;
  merchantId: string | null;
}
interface Role {
  id: string;
  name: string;
  permissions: string[];
  builtIn: boolean;
}

describeOnAnyDatabase('users', (fixture) => {
  const at = () => `/merchants/${fixture().credentials.merchantId}/users`;

  test('applies a changed role with the next request', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'viewer');
    const sell = () => api.bare.post('/api/v1/transactions', cardBody(12), user.headers);
    await expectError(sell(), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.put(`${at()}/${user.userId}`, { role: 'cashier' }));
    await expectData(sell());
    await expectData(api.admin.post(`/users/${user.userId}/permissions`, { permissions: ['transactions:read'] }));
    await expectError(sell(), 403, 'PERMISSION_DENIED');
    const own = await expectData(api.admin.get<User>(`/users/${user.userId}/permissions`));
    expect(own).toEqual({ userId: user.userId, role: 'cashier', permissions: ['transactions:read'], ownPermissions: true });
    await expectData(api.admin.post(`/users/${user.userId}/permissions`, { permissions: null }));
    await expectData(sell());
  });

  test('keeps the name of a user, whom an administrator or the user can rename', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'cashier');
    const path = `${at()}/${user.userId}`;
    expect(await expectData(api.admin.put(path, { name: ' Tom Reyes ' }))).toMatchObject({ name: 'Tom Reyes', role: 'cashier' });
    expect(await expectData(api.bare.get('/api/v1/auth/me', user.headers))).toMatchObject({ user: { name: 'Tom Reyes' } });
    expect(await expectData(api.bare.put('/api/v1/auth/name', { name: 'Tomas Reyes' }, user.headers))).toMatchObject({
      name: 'Tomas Reyes',
    });
    const users = await expectData(api.admin.get<{ userId: string; name: string | null }[]>(at()));
    expect(users.find(({ userId }) => userId === user.userId)?.name).toBe('Tomas Reyes');
    await expectError(api.bare.put('/api/v1/auth/name', { name: 'x'.repeat(101) }, user.headers), 400, 'VALIDATION_ERROR');
    expect(await expectData(api.bare.put('/api/v1/auth/name', { name: '' }, user.headers))).toMatchObject({ name: null });
  });

  test('keeps the language of the screens of a user, who alone changes it', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'viewer');
    const choose = (language: unknown) => api.bare.put('/api/v1/auth/language', { language }, user.headers);
    const shown = async () =>
      (await expectData(api.bare.get<{ user: { language: unknown } }>('/api/v1/auth/me', user.headers))).user.language;
    expect(await shown()).toBeNull();
    expect(await expectData(choose('es'))).toMatchObject({ userId: user.userId, language: 'es' });
    expect(await shown()).toBe('es');
    for (const wrong of ['fr', 'ES', 1, {}]) await expectError(choose(wrong), 400, 'VALIDATION_ERROR', 'language');
    await expectError(api.bare.put('/api/v1/auth/language', { language: 'en' }), 401, 'TENANT_REQUIRED');
    await expectData(api.admin.put(`${at()}/${user.userId}`, { language: 'en' }));
    expect(await shown()).toBe('es');
    await expectData(choose(null));
    expect(await shown()).toBeNull();
  });

  test('lets an administrator create a link for a user who forgot the password', async () => {
    const { api, credentials } = fixture();
    const user = await createUser(fixture(), 'cashier');
    const { inviteUrl } = await expectData(api.admin.post<{ inviteUrl: string }>(`${at()}/${user.userId}/invite`));
    const token = new URLSearchParams(inviteUrl.split('?')[1]).get('token') ?? '';
    await expectData(api.bare.post('/api/v1/auth/reset-password', { token, password: 'chosen by the forgetful' }));
    await expectError(api.bare.get('/api/v1/auth/me', user.headers), 401, 'TOKEN_INVALID');
    await signInAs(fixture(), user.email, 'chosen by the forgetful', credentials.tenantId);
  });

  test('rejects a removed user immediately', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'cashier');
    expect(await expectData(api.admin.delete(`${at()}/${user.userId}`))).toEqual({ id: user.userId, deleted: true });
    await expectError(api.bare.get('/api/v1/auth/me', user.headers), 401, 'TOKEN_INVALID');
    await expectError(api.admin.delete(`${at()}/${user.userId}`), 404, 'NOT_FOUND');
  });
});

describeOnAnyDatabase('roles and grants', (fixture) => {
  const at = () => `/merchants/${fixture().credentials.merchantId}/users`;

  test('lists the built-in roles and refuses to change them', async () => {
    const { api } = fixture();
    const roles = await expectData(api.admin.get<Role[]>('/roles'));
    expect(roles.filter(({ builtIn }) => builtIn).map(({ name }) => name)).toEqual([
      'owner',
      'admin',
      'manager',
      'cashier',
      'accountant',
      'viewer',
    ]);
    await expectError(api.admin.put('/roles/cashier', { permissions: ['settings'] }), 403, 'FORBIDDEN');
    await expectError(api.admin.delete('/roles/owner'), 403, 'FORBIDDEN');
    await expectError(api.admin.post('/roles', { name: 'Cashier', permissions: [] }), 409, 'RESOURCE_CONFLICT', 'name');
  });

  test('creates and changes custom roles immediately, and refuses to delete one with users', async () => {
    const { api } = fixture();
    const role = await expectData(
      api.admin.post<Role>('/roles', { name: 'Night desk', permissions: ['transactions:read', 'refunds'] }),
      201,
    );
    expect(role.permissions).toEqual(['transactions:read', 'refunds:read', 'refunds:write']);
    const user = await createUser(fixture(), 'Night desk');
    const read = () => api.bare.get('/api/v1/webhooks', user.headers);
    await expectError(read(), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.put(`/roles/${role.id}`, { permissions: ['webhooks:read'] }));
    await expectData(read());
    expect((await expectError(api.admin.delete(`/roles/${role.id}`), 409, 'RESOURCE_CONFLICT')).details).toMatchObject({ users: 1 });
    await expectData(api.admin.delete(`${at()}/${user.userId}`));
    await expectData(api.admin.delete(`/roles/${role.id}`));
    await expectError(api.admin.get(`/roles/${role.id}`), 404, 'NOT_FOUND');
  });

  test('refuses to grant permissions that the caller lacks', async () => {
    const { api } = fixture();
    const role = await expectData(api.admin.post<Role>('/roles', { name: 'People', permissions: ['users', 'roles', 'api-keys'] }), 201);
    const { headers, password: currentPassword } = await createUser(fixture(), role.name, { allMerchants: true });
    const { merchantId } = fixture().credentials;
    const post = (path: string, body: object) => api.bare.post(`/api/v1${path}`, body, headers);
    await expectError(post(at(), { email: 'up@demo.example', role: 'admin' }), 403, 'PERMISSION_DENIED');
    await expectError(post('/roles', { name: 'Sellers', permissions: ['transactions'] }), 403, 'PERMISSION_DENIED');
    await expectError(
      post('/api-keys', { name: 'k', scope: 'merchant', merchantId, permissions: ['refunds'], currentPassword }),
      403,
      'PERMISSION_DENIED',
    );
    const strong = await createUser(fixture(), 'admin', { allMerchants: true });
    await expectError(api.bare.delete(`/api/v1${at()}/${strong.userId}`, headers), 403, 'PERMISSION_DENIED');
    await expectError(post(`/users/${strong.userId}/permissions`, { permissions: [] }), 403, 'PERMISSION_DENIED');
  });

  test('refuses unknown roles and permissions and names them', async () => {
    const { api } = fixture();
    await expectError(api.admin.post(at(), { email: 'a@demo.example', role: 'king' }), 400, 'VALIDATION_ERROR', 'role');
    // The second one is a name that every object has.
    for (const permissions of [['money'], ['constructor']]) {
      const body = { email: 'a@demo.example', role: 'viewer', permissions };
      await expectError(api.admin.post(at(), body), 400, 'VALIDATION_ERROR', 'permissions');
      await expectError(api.admin.post('/roles', { name: 'Money', permissions }), 400, 'VALIDATION_ERROR', 'permissions');
    }
    await expectError(api.admin.post(at(), { email: 'nobody', role: 'viewer' }), 400, 'INVALID_EMAIL', 'email');
    await expectError(api.admin.post(at(), { email: 'a@demo.example', role: 'viewer', phone: '555' }), 400, 'INVALID_PHONE', 'phone');
  });
});

describeOnAnyDatabase('API keys', (fixture) => {
  interface Key {
    id: string;
    key: string;
    last4: string;
    status: string;
    permissions: string[];
  }

  test('shows a key once, and applies its creation, restriction and revocation immediately', async () => {
    const { api, credentials } = fixture();
    const { merchantId, tenantId } = credentials;
    const made = await expectData(
      api.admin.post<Key>('/api-keys', { name: 'till', scope: 'merchant', merchantId, currentPassword: credentials.adminPassword }),
      201,
    );
    expect(made.key).toMatch(/^pk_sandbox_/);
    const sent = { 'X-Tenant-ID': tenantId, 'x-api-key': made.key };
    const list = () => api.bare.get('/api/v1/public/transaction-list?limit=1', sent);
    await expectData(list());
    for (const path of ['/api-keys', `/api-keys/${made.id}`]) expect((await api.admin.get(path)).text).not.toContain(made.key);
    await expectData(api.admin.put(`/api-keys/${made.id}`, { permissions: ['refunds'], currentPassword: credentials.adminPassword }));
    await expectError(list(), 403, 'PERMISSION_DENIED');
    await expectData(
      api.admin.put(`/api-keys/${made.id}`, {
        permissions: ['transactions:read'],
        name: 'till 2',
        currentPassword: credentials.adminPassword,
      }),
    );
    await expectData(list());
    expect(await expectData(api.admin.delete(`/api-keys/${made.id}`))).toEqual({ id: made.id, deleted: true });
    await expectError(list(), 401, 'UNAUTHORIZED');
    expect(await expectData(api.admin.get<Key>(`/api-keys/${made.id}`))).toMatchObject({ status: 'revoked', name: 'till 2' });
    await expectError(
      api.admin.put(`/api-keys/${made.id}`, { name: 'again', currentPassword: credentials.adminPassword }),
      409,
      'RESOURCE_CONFLICT',
    );
  });

  test('rejects every request with a revoked key that starts after the revocation', async () => {
    const { api, credentials } = fixture();
    const { merchantId, tenantId } = credentials;
    const made = await expectData(
      api.admin.post<Key>('/api-keys', { name: 'busy', scope: 'merchant', merchantId, currentPassword: credentials.adminPassword }),
      201,
    );
    const call = () => api.bare.get('/api/v1/public/transaction-list?limit=1', { 'X-Tenant-ID': tenantId, 'x-api-key': made.key });
    const before = Array.from({ length: 50 }, call);
    await expectData(api.admin.delete(`/api-keys/${made.id}`));
    const after = await Promise.all(Array.from({ length: 50 }, call));
    // A revoked key is a wrong credential, and these are limited by address.
    expect(after.every(({ status }) => status === 401 || status === 429)).toBe(true);
    await Promise.all(before);
  });

  test('validates scope, expiry and names', async () => {
    const { api, credentials } = fixture();
    const { merchantId } = credentials;
    const make = (body: object) => api.admin.post('/api-keys', { ...body, currentPassword: credentials.adminPassword });
    await expectError(make({ name: 'x', scope: 'merchant' }), 400, 'REQUIRED_FIELD_MISSING', 'merchantId');
    await expectError(make({ name: 'x', scope: 'world' }), 400, 'VALIDATION_ERROR', 'scope');
    await expectError(make({ name: '', scope: 'tenant' }), 400, 'VALIDATION_ERROR', 'name');
    await expectError(make({ name: 'x', scope: 'merchant', merchantId, expiresAt: '2020-01-01' }), 400, 'INVALID_DATE', 'expiresAt');
    await expectError(make({ name: 'x', scope: 'merchant', merchantId: 'mer_none' }), 404, 'MERCHANT_NOT_FOUND');
    const key = await expectData(
      api.admin.post<Key>('/api-keys', { name: 't', scope: 'tenant', tier: 'standard', currentPassword: credentials.adminPassword }),
      201,
    );
    const answer = await api.bare.post('/api/v1/public/testConnection', undefined, {
      'X-Tenant-ID': credentials.tenantId,
      'x-api-key': key.key,
    });
    expect(Number(answer.headers.get('x-ratelimit-limit'))).toBe(100);
  });
});

onAnyDatabase('names people to callers who see reports, and only themselves to others', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const manager = await createPerson(fixture, 'manager', merchantId, { name: 'Mina Okafor' });
  const cashier = await createPerson(fixture, 'cashier', merchantId, { name: 'Tom Reyes' });
  const elsewhere = await createPerson(fixture, 'manager', await createMerchant(fixture), { name: 'Ines Brandt' });
  const namesFor = async ({ as }: typeof manager) => (await expectData(as.get<{ people: { email: string }[] }>('/auth/me'))).people;
  expect(await namesFor(manager)).toEqual(
    expect.arrayContaining([
      { email: manager.email, name: 'Mina Okafor' },
      { email: cashier.email, name: 'Tom Reyes' },
    ]),
  );
  expect((await namesFor(manager)).map(({ email }) => email)).not.toContain(elsewhere.email);
  expect(await namesFor(cashier)).toEqual([{ email: cashier.email, name: 'Tom Reyes' }]);
});
