import { expect, test, vi } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { ANY_DATABASE, describeOnAnyDatabase, expectData, expectError, startTestServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

describeOnAnyDatabase('limits of the standard tier', (fixture) => {
  test('reports the window closest to exhaustion in every response, and limits transaction creation to fifty a minute', async () => {
    const { api } = fixture();
    const bad = () => api.standard.post('/transaction', {});
    const answers = await Promise.all(Array.from({ length: 200 }, bad));
    // The minute may change during the requests: each window allows exactly fifty and counts them down one by one.
    for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values()) {
      const through = window.filter(({ status }) => status === 400);
      expect(through).toHaveLength(Math.min(50, window.length));
      const left = through.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((one, other) => other - one);
      expect(left).toEqual(Array.from({ length: through.length }, (_, index) => 49 - index));
      expect(Number(window[0]?.headers.get('x-ratelimit-reset')) % 60).toBe(0);
    }
    for (const answer of answers.filter(({ status }) => status === 429)) {
      const error = await expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
      expect(error.details).toMatchObject({ limit: 50, remaining: 0 });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const answer of answers) {
      expect(Number(answer.headers.get('x-ratelimit-limit'))).toBe(50);
      expect(Number(answer.headers.get('x-ratelimit-reset')) * 1_000).toBeGreaterThan(Date.now() - 60_000);
    }
  });
});

describeOnAnyDatabase('limits of client tokens', (fixture) => {
  test('are those of payers, and leave those of their API key alone', async () => {
    const { api, credentials } = fixture();
    // The clock stands still in a minute in which the key was not used, so that a slow computer does not reach the next one.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    try {
      const { clientToken } = await expectData(api.standard.post<{ clientToken: string }>('/client-token', {}));
      const remaining = async () => Number((await api.standard.get('/merchants')).headers.get('x-ratelimit-remaining'));
      const before = await remaining();
      const headers = { 'X-Tenant-ID': credentials.standardTenantId, 'x-client-token': clientToken };
      const answers = await Promise.all(Array.from({ length: 310 }, () => api.bare.post('/api/v1/public/tokenize-card', {}, headers)));
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
      expect(await remaining()).toBe(before - 1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describeOnAnyDatabase('headers and status of limits', (fixture) => {
  test.each(['/transaction', '/token-transaction', '/rerun', '/shopifyTransaction', '/recurring'])(
    'counts %s as creating a transaction',
    async (path) => {
      const answer = await fixture().api.standard.post(path, {});
      expect(answer.headers.get('x-ratelimit-limit')).toBe('50');
    },
  );

  test('reports the usage of the windows, with and without limits', async () => {
    const { api, credentials } = fixture();
    const { standardTenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const tenant = { 'X-Tenant-ID': standardTenantId };
    const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
    const headers = { ...tenant, Authorization: `Bearer ${token}` };
    interface Status {
      limit: number;
      remaining: number;
      resetAt: string;
      usage: { minute: number; hour: number; day: number };
    }
    const status = () => api.bare.get<Status>('/api/v1/rate-limit/status', headers);
    const [first, second] = [await status(), await status()];
    expect(first.body.data.limit).toBe(100);
    expect(second.body.data.usage.hour).toBe(first.body.data.usage.hour + 1);
    expect(second.body.data.remaining).toBe(Number(second.headers.get('x-ratelimit-remaining')));
    expect(Date.parse(second.body.data.resetAt) / 1_000).toBe(Number(second.headers.get('x-ratelimit-reset')));
    const unlimited = () => expectData(api.admin.get<Status>('/rate-limit/status'));
    const [before] = [await unlimited(), await Promise.all(Array.from({ length: 10 }, () => api.admin.get('/merchants')))];
    const after = await unlimited();
    expect(after).toMatchObject({ limit: 2_147_483_647, remaining: 2_147_483_647 });
    expect(after.usage.day).toBeGreaterThan(0);
    // The hour may change during the requests.
    if (after.usage.hour > before.usage.hour) expect(after.usage.hour).toBe(before.usage.hour + 11);
  });

  test('limits a sandbox account to the tier that an administrator chooses, until the limits are removed', async () => {
    const { api, baseUrl, credentials } = fixture();
    const body = { name: 'limited', scope: 'merchant', merchantId: credentials.merchantId };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
    expect(await expectData(api.admin.get('/sandbox/tier'))).toEqual({ tier: 'sandbox' });
    expect(await expectData(api.admin.put('/sandbox/tier', { tier: 'standard' }))).toEqual({ tier: 'standard' });
    try {
      const answers = await Promise.all(Array.from({ length: 201 }, () => asKey.get('/customers?limit=1')));
      const [refused] = answers.filter(({ status }) => status === 429);
      const error = await expectError(refused as (typeof answers)[number], 429, 'RATE_LIMIT_EXCEEDED');
      expect(error.details).toMatchObject({ limit: 100, remaining: 0 });
      expect(refused?.headers.get('x-ratelimit-limit')).toBe('100');
      await expectError(api.admin.put('/sandbox/tier', { tier: 'gold' }), 400, 'VALIDATION_ERROR', 'tier');
      const { headers } = await createUser(fixture(), 'cashier');
      await expectError(api.bare.put('/api/v1/sandbox/tier', { tier: 'sandbox' }, headers), 403, 'PERMISSION_DENIED');
    } finally {
      await expectData(api.admin.put('/sandbox/tier', { tier: 'sandbox' }));
    }
    await expectData(asKey.get('/customers?limit=1'));
    expect((await asKey.get('/customers?limit=1')).headers.get('x-ratelimit-limit')).toBe('2147483647');
  });

  test('does not limit a sandbox tenant', async () => {
    const answer = await fixture().api.public.get('/transaction-list?limit=1');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('2147483647');
  });

  test('adds the rate limit headers to every response, also without limits or a known caller', async () => {
    const { api } = fixture();
    for (const answer of await Promise.all([
      api.bare.get('/health'),
      api.bare.get('/openapi.json'),
      api.bare.get('/nowhere'),
      api.bare.get('/api/v1/transactions'),
      api.public.get('/transaction-list', { 'x-api-key': 'wrong' }),
      api.bare.post('/api/v1/auth/refresh', { refreshToken: 'x' }),
      api.admin.post('/transactions', '{broken'),
    ])) {
      for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
    }
  });
});

test.each(ANY_DATABASE)('limits a live account to the numbers of the operator, or to those of the specification (%s)', async (database) => {
  const owner = {
    email: 'owner@pier.example',
    password: 'a long enough passphrase',
    businessName: 'Pier',
    currency: 'USD',
    timezone: 'UTC',
  };
  for (const [enterpriseLimits, perMinute] of [
    ['1000,7,100000', 7],
    [undefined, 300],
  ] as const) {
    const { server, stop } = await startTestServer(database, { enterpriseLimits }, 'none');
    try {
      const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
      const made = await expectData(bare.post<{ token: string; tenantId: string }>('/setup', { ...owner, environment: 'live' }));
      const api = surfaceOf(server.baseUrl, '/api/v1', () => ({ 'X-Tenant-ID': made.tenantId, Authorization: `Bearer ${made.token}` }));
      const first = await api.get('/transactions');
      expect(first.status).toBe(200);
      expect(first.headers.get('x-ratelimit-limit')).toBe(String(perMinute));
      expect(first.headers.get('x-ratelimit-remaining')).toBe(String(perMinute - 1));
      if (enterpriseLimits === undefined) continue;
      const more = await Promise.all(Array.from({ length: 8 }, () => api.get('/transactions')));
      // The hour may change during the requests: each window allows exactly seven.
      const refused = more.filter(({ status }) => status === 429);
      const windows = new Set([first, ...more].map(({ headers }) => headers.get('x-ratelimit-reset')));
      expect(refused).toHaveLength(windows.size === 1 ? 2 : refused.length);
      for (const answer of refused) await expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    } finally {
      await stop();
    }
  }
});

test('says when the requests of the next day begin', async () => {
  const { server, stop } = await startTestServer('sqlite', { enterpriseLimits: '1000,1000,2' }, 'none');
  try {
    const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
    const owner = {
      email: 'owner@pier.example',
      password: 'a long enough passphrase',
      businessName: 'Pier',
      currency: 'USD',
      timezone: 'UTC',
    };
    const made = await expectData(bare.post<{ token: string; tenantId: string }>('/setup', { ...owner, environment: 'live' }));
    const api = surfaceOf(server.baseUrl, '/api/v1', () => ({ 'X-Tenant-ID': made.tenantId, Authorization: `Bearer ${made.token}` }));
    const refused = (await Promise.all(Array.from({ length: 5 }, () => api.get('/merchants')))).find(({ status }) => status === 429);
    const error = await expectError(refused as NonNullable<typeof refused>, 429, 'DAILY_LIMIT_EXCEEDED');
    expect(error.message).toMatch(/^All 2 requests of this day are used; try again in \d+ h \d+ min, at 00:00 UTC\.$/);
  } finally {
    await stop();
  }
});
