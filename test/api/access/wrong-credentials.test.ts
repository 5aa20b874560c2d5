import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ANY_DATABASE, expectError, FULL, startTestServer } from '../../support/server.ts';
import { startWorkstations } from '../../support/workstations.ts';

type Sent = Record<string, string>;

/** A wrong credential of each kind: the path that accepts it and its headers. */
const guesses = (tenantId: string): readonly (readonly [path: string, headers: Sent])[] => [
  ['/api/v1/public/merchants', { 'X-Tenant-ID': tenantId, 'x-api-key': 'pk_sandbox_guessed' }],
  ['/api/v1/public/merchants', { 'X-Tenant-ID': 'ten_guessed', 'x-api-key': 'pk_sandbox_guessed' }],
  ['/api/v1/sdk/query/txn_x', { Authorization: 'Bearer pk_sandbox_guessed' }],
  ['/api/v1/transactions', { 'X-Tenant-ID': tenantId, Authorization: 'Bearer guessed' }],
  ['/api/v1/refund-decline-queue/process-retries', { 'X-Tenant-ID': tenantId, 'x-internal-service-key': 'guessed' }],
];

// The clock stands still, because a minute that ends between two requests would start a new window.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

describe.each(ANY_DATABASE)('wrong credentials (%s)', (database) => {
  let started: Awaited<ReturnType<typeof startTestServer>>;
  beforeAll(async () => {
    started = await startTestServer(database, { trustedProxy: 'loopback' });
  });
  afterAll(() => started.stop());

  const credentials = () => {
    if (!started.server.credentials) throw new Error('The server has demo credentials.');
    return started.server.credentials;
  };
  const from = async (address: string, path: string, headers: Sent) => {
    const response = await fetch(started.server.baseUrl + path, {
      method: path.endsWith('/process-retries') ? 'POST' : 'GET',
      headers: { ...headers, 'x-forwarded-for': address },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };

  test('refuses more than 30 in a minute from one address with 429, on all surfaces together', async () => {
    const kinds = guesses(credentials().tenantId);
    const answers = [];
    for (let n = 0; n < 30; n += 1) answers.push(await from('203.0.113.7', ...(kinds[n % kinds.length] as (typeof kinds)[number])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    for (const kind of kinds) {
      const answer = await from('203.0.113.7', ...kind);
      const error = await expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
      // The SDK surface writes the names of details in PascalCase.
      expect(Object.fromEntries(Object.entries(error.details ?? {}).map(([name, value]) => [name.toLowerCase(), value]))).toMatchObject({
        limit: 30,
        remaining: 0,
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('30');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    }
  });

  test('accepts right credentials from an address that used up its wrong ones', async () => {
    const { tenantId, apiKey } = credentials();
    const wrong = { 'X-Tenant-ID': tenantId, 'x-api-key': 'pk_sandbox_guessed' };
    await Promise.all(Array.from({ length: 40 }, () => from('203.0.113.8', '/api/v1/public/merchants', wrong)));
    expect((await from('203.0.113.8', '/api/v1/public/merchants', wrong)).status).toBe(429);
    const right = await from('203.0.113.8', '/api/v1/public/merchants', { 'X-Tenant-ID': tenantId, 'x-api-key': apiKey });
    expect(right.status, right.text).toBe(200);
    expect((await from('203.0.113.9', '/api/v1/public/merchants', wrong)).status).toBe(401);
  });

  test('counts the addresses of one IPv6 network together', async () => {
    const wrong = { 'X-Tenant-ID': credentials().tenantId, Authorization: 'Bearer guessed' };
    const answers = await Promise.all(
      Array.from({ length: 35 }, (_, n) => from(`2001:db8:5:6::${(n + 1).toString(16)}`, '/api/v1/transactions', wrong)),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await from('2001:db8:5:7::1', '/api/v1/transactions', wrong)).status).toBe(401);
  });

  test('counts requests without a credential and those of payers by the IPv6 network', async () => {
    const refusedOf = async (network: string, method: string, path: string, requests: number) => {
      const url = started.server.baseUrl + path;
      const send = (n: number) => fetch(url, { method, headers: { 'x-forwarded-for': `${network}::${(n + 1).toString(16)}` } });
      const answers = await Promise.all(Array.from({ length: requests }, (_, n) => send(n)));
      return answers.filter(({ status }) => status === 429).length;
    };
    expect(await refusedOf('2001:db8:5:8', 'POST', '/api/v1/public/refreshToken', 35)).toBe(5);
    expect(await refusedOf('2001:db8:5:9', 'GET', '/s/unknown', 305)).toBe(5);
  });

  test('does not count requests without a credential', async () => {
    const { tenantId } = credentials();
    const answers = await Promise.all(
      Array.from({ length: 35 }, () => from('203.0.113.10', '/api/v1/public/merchants', { 'X-Tenant-ID': tenantId })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });

  test('counts guessed tenants of a sign-in', async () => {
    const guess = () => from('203.0.113.11', '/api/v1/public/merchants', { 'X-Tenant-ID': 'ten_guessed' });
    const signIn = () =>
      fetch(`${started.server.baseUrl}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'X-Tenant-ID': 'ten_guessed', 'x-forwarded-for': '203.0.113.11', 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'a@b.example', password: 'guessed' }),
      });
    await Promise.all(Array.from({ length: 15 }, guess));
    const statuses = (await Promise.all(Array.from({ length: 16 }, signIn))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(15);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

test('counts wrong credentials of two workstations together', FULL, async () => {
  const stations = await startWorkstations(2);
  try {
    const guess = (index: number) =>
      fetch(`${stations.servers[index]?.baseUrl}/api/v1/sdk/query/txn_x`, { headers: { Authorization: 'Bearer pk_sandbox_guessed' } });
    const statuses = (await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n % 2)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  } finally {
    await stations.stop();
  }
});
