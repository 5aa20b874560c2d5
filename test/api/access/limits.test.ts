import { expect, test } from 'vitest';
import { describeOnBothDatabases, expectError } from '../../support/server.ts';

describeOnBothDatabases('limits of the standard tier', (fixture) => {
  test('every answer tells the nearest window, and creating is limited to fifty a minute', async () => {
    const { api } = fixture();
    const bad = () => api.standard.post('/transaction', {});
    const answers = await Promise.all(Array.from({ length: 60 }, bad));
    // A minute may turn while the sixty are on their way: each window lets exactly fifty through.
    for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values()) {
      expect(window.filter(({ status }) => status === 400)).toHaveLength(Math.min(50, window.length));
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

  test('a sandbox tenant is not limited', async () => {
    const answer = await fixture().api.public.get('/transaction-list?limit=1');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('2147483647');
  });

  test('every answer carries the headers, also where nothing is counted or the caller is not known', async () => {
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
