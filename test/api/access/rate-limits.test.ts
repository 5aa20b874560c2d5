import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { ANY_DATABASE, describeOnAnyDatabase, expectData, expectError, startTestServer } from '../../support/server.ts';

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

describeOnAnyDatabase('headers and status of limits', (fixture) => {
  test.each(['/transaction', '/token-transaction', '/rerun', '/shopifyTransaction', '/recurring'])(
    'counts %s as creating a transaction',
    async (path) => {
      const answer = await fixture().api.standard.post(path, {});
      expect(answer.headers.get('x-ratelimit-limit')).toBe('50');
    },
  );

  test('reports the usage of the windows, or none for a tenant without limits', async () => {
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
    const unlimited = await expectData(api.admin.get<Status>('/rate-limit/status'));
    expect(unlimited).toMatchObject({ limit: 2_147_483_647, usage: { minute: 0, hour: 0, day: 0 } });
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
