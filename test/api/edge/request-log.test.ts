import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { ANY_DATABASE, apiOf, expectData, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId: string;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
}

let written: MockInstance<typeof process.stderr.write>;
beforeEach(() => {
  written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => written.mockRestore());

const lines = () =>
  written.mock.calls
    .map(([text]) => String(text))
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Line)
    .filter(({ msg }) => msg === 'request');
const linesOf = async (requestId: string | null) => {
  await until('the request is logged', () => lines().some((line) => line.requestId === requestId));
  return lines().filter((line) => line.requestId === requestId);
};

test.each(ANY_DATABASE)('logs every request once, with the pattern of its route (%s)', async (database) => {
  const { server, stop } = await startTestServer(database, { logLevel: 'info' }, 'small');
  try {
    if (server.credentials === undefined) throw new Error('The sample data has credentials.');
    const api = apiOf(server.baseUrl, server.credentials);
    const sale = api.admin.post<{ transactionId: string }>('/transactions', cardBody(5));
    const { transactionId } = await expectData(sale);
    const answers = [
      [await sale, 'POST', '/api/v1/transactions', 200],
      [await api.admin.get(`/transactions/${transactionId}`), 'GET', '/api/v1/transactions/:id', 200],
      [await api.admin.post('/transactions', '{broken'), 'POST', '/api/v1/transactions', 400],
      [await api.bare.get('/api/v1/transactions?q=secret-in-query'), 'GET', '/api/v1/transactions', 401],
      [await api.bare.get('/pay/secret-in-path'), 'GET', expect.anything(), 404],
      [await api.bare.post('/api/v1/secret-in-path', {}), 'POST', null, 404],
      [await api.bare.get('/secret%E0%A4%A'), 'GET', null, 400],
    ] as const;
    for (const [{ headers }, method, route, status] of answers) {
      const [line, ...more] = await linesOf(headers.get('x-request-id'));
      expect(more).toEqual([]);
      expect(line).toMatchObject({ level: 30, method, status, ms: expect.any(Number) });
      if (route === null || typeof route === 'string') expect(line?.route).toBe(route);
    }
    expect(JSON.stringify(lines())).not.toContain('secret');
  } finally {
    await stop();
  }
});
