import { afterEach, expect, test, vi } from 'vitest';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

// The server runs in this process, so that its real time can be moved.
const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
afterEach(() => {
  vi.useRealTimers();
});

interface SignedIn {
  token: string;
  accessToken?: string;
  refreshToken: string;
  tokenType: string;
  expiresIn: number;
  user: { email: string };
}

const login = ({ api, credentials }: ApiFixture, more: Record<string, unknown> = {}) =>
  api.bare.post<SignedIn>(
    '/api/v1/auth/login',
    { email: credentials.adminEmail, password: credentials.adminPassword, ...more },
    { 'X-Tenant-ID': credentials.tenantId },
  );

describeOnAnyDatabase('the order of checks', (fixture) => {
  test.for([
    ['unknown route', '/api/v1/nowhere', {}, 404, 'NOT_FOUND'],
    ['without tenant', '/api/v1/transactions', {}, 401, 'TENANT_REQUIRED'],
    ['without tenant, with a credential', '/api/v1/transactions', { Authorization: 'Bearer x' }, 401, 'TENANT_REQUIRED'],
    ['with an unknown tenant', '/api/v1/transactions', { 'X-Tenant-ID': 'ten_unknown' }, 401, 'TENANT_NOT_FOUND'],
    ['without token', '/api/v1/transactions', { 'X-Tenant-ID': 'own' }, 401, 'UNAUTHORIZED'],
    [
      'with another authorization scheme',
      '/api/v1/transactions',
      { 'X-Tenant-ID': 'own', Authorization: 'Basic eDp5' },
      401,
      'UNAUTHORIZED',
    ],
    ['with an invalid token', '/api/v1/transactions', { 'X-Tenant-ID': 'own', Authorization: 'Bearer x' }, 401, 'TOKEN_INVALID'],
    ['on the Public surface without tenant', '/api/v1/public/transaction-list', { 'x-api-key': 'x' }, 401, 'TENANT_REQUIRED'],
    ['on the Public surface without key', '/api/v1/public/transaction-list', { 'X-Tenant-ID': 'own' }, 401, 'UNAUTHORIZED'],
    [
      'on the Public surface with a wrong key',
      '/api/v1/public/transaction-list',
      { 'X-Tenant-ID': 'own', 'x-api-key': 'pk_sandbox_no' },
      401,
      'UNAUTHORIZED',
    ],
    ['on the SDK surface without key', '/api/v1/sdk/query/txn_1', {}, 401, 'UNAUTHORIZED'],
    ['on the SDK surface with a wrong key', '/api/v1/sdk/query/txn_1', { Authorization: 'Bearer pk_sandbox_no' }, 401, 'UNAUTHORIZED'],
  ] as const)('refuses a request: %s', async ([, path, given, status, code]) => {
    const { api, credentials } = fixture();
    const headers: Record<string, string> = { ...given };
    if (headers['X-Tenant-ID'] === 'own') headers['X-Tenant-ID'] = credentials.tenantId;
    await expectError(api.bare.get(path, headers), status, code);
  });

  test('checks the credential before the body, the body before existence, and existence before state', async () => {
    const { api, credentials } = fixture();
    await expectError(api.bare.post('/api/v1/transactions', '{broken', { 'X-Tenant-ID': credentials.tenantId }), 401, 'UNAUTHORIZED');
    await expectError(api.admin.post('/transactions/txn_unknown/capture', '{broken'), 400, 'VALIDATION_ERROR');
    await expectError(api.admin.post('/transactions/txn_unknown/capture', { amount: {} }), 400, 'INVALID_AMOUNT', 'amount');
    await expectError(api.admin.post('/transactions/txn_unknown/capture', { amount: 5 }), 404, 'TRANSACTION_NOT_FOUND');
    await expectError(api.bare.post('/api/v1/auth/login', '{broken'), 401, 'TENANT_REQUIRED');
  });

  test('rejects keys and tokens of another tenant', async () => {
    const current = fixture();
    const { api, credentials } = current;
    const headers = { 'X-Tenant-ID': credentials.standardTenantId };
    await expectError(api.public.get('/transaction-list', headers), 401, 'UNAUTHORIZED');
    await expectError(api.admin.get('/transactions', headers), 403, 'FORBIDDEN');
  });
});

describeOnAnyDatabase('signing in', (fixture) => {
  test('returns tokens on both login routes and on that of the Public surface', async () => {
    const { api, credentials } = fixture();
    const { adminEmail: email, adminPassword: password, tenantId } = credentials;
    const data = await expectData(login(fixture()));
    expect(data).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, user: { email } });
    await expectData(api.bare.post('/api/v1/auth/token', { email: email.toUpperCase(), password }, { 'X-Tenant-ID': tenantId }));
    const access = await expectData(api.bare.post<SignedIn>('/api/v1/public/accesstoken', { email, password }));
    expect(access.accessToken).toBe(access.token);
    const bearer = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${access.token}` };
    expect(await expectData(api.bare.get<{ user: { email: string } }>('/api/v1/auth/me', bearer))).toMatchObject({ user: { email } });
  });

  test('gives the same response for a wrong password and an unknown email address', async () => {
    const { api } = fixture();
    const wrong = await login(fixture(), { password: 'not the password' });
    const unknown = await login(fixture(), { email: 'nobody@demo.example' });
    await expectError(wrong, 401, 'INVALID_CREDENTIALS');
    expect(unknown.text).toBe(wrong.text);
    await expectError(
      api.bare.post('/api/v1/public/accesstoken', { email: 'nobody@demo.example', password: 'x' }),
      401,
      'INVALID_CREDENTIALS',
    );
    await expectError(login(fixture(), { password: undefined }), 400, 'REQUIRED_FIELD_MISSING', 'password');
  });

  test('accepts a refresh token once and ends the session when it is used again', async () => {
    const { api, credentials } = fixture();
    const first = await expectData(login(fixture()));
    const refresh = (refreshToken: string, path = '/auth/refresh') => api.bare.post<SignedIn>(`/api/v1${path}`, { refreshToken });
    const second = await expectData(refresh(first.refreshToken, '/public/refreshToken'));
    expect(second.accessToken).toBe(second.token);
    await expectError(refresh(first.refreshToken), 401, 'TOKEN_INVALID');
    await expectError(refresh(second.refreshToken), 401, 'TOKEN_INVALID');
    const bearer = { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${second.token}` };
    await expectError(api.bare.get('/api/v1/auth/me', bearer), 401, 'TOKEN_INVALID');
  });

  test('ends the session immediately on logout', async () => {
    const { api, credentials } = fixture();
    const { token, refreshToken } = await expectData(login(fixture()));
    await expectData(api.bare.post('/api/v1/auth/logout', { refreshToken }));
    await expectError(
      api.bare.get('/api/v1/auth/me', { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` }),
      401,
      'TOKEN_INVALID',
    );
    await expectError(api.bare.post('/api/v1/auth/refresh', { refreshToken }), 401, 'TOKEN_INVALID');
  });

  test('issues access tokens for fifteen minutes and refresh tokens for thirty days', async () => {
    const { api, credentials } = fixture();
    later(0);
    const { token, refreshToken } = await expectData(login(fixture()));
    const me = (bearer: string) =>
      api.bare.get('/api/v1/auth/me', { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${bearer}` });
    later(890);
    await expectData(me(token));
    later(20);
    await expectError(me(token), 401, 'TOKEN_EXPIRED');
    const second = await expectData(api.bare.post<SignedIn>('/api/v1/auth/refresh', { refreshToken }));
    await expectData(me(second.token));
    later(31 * 86_400);
    await expectError(api.bare.post('/api/v1/auth/refresh', { refreshToken: second.refreshToken }), 401, 'TOKEN_INVALID');
  });
});
