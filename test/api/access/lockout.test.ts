import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { ANY_DATABASE, apiOf, expectData, expectError, startTestServer } from '../../support/server.ts';

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

afterEach(() => {
  vi.useRealTimers();
});

test.each(ANY_DATABASE)('locks an account for 30 minutes after ten wrong passwords (%s)', async (database) => {
  const { server, stop } = await startTestServer(database, {}, 'small');
  stops.push(stop);
  const credentials = server.credentials;
  if (!credentials) throw new Error('A server with demo tenants returns their credentials.');
  const { bare } = apiOf(server.baseUrl, credentials);
  const login = (password: string) =>
    bare.post('/api/v1/auth/login', { email: credentials.adminEmail, password }, { 'X-Tenant-ID': credentials.tenantId });
  // The server runs in this process, so that its clock can be stopped and moved. A minute that ends during the test would start a new window of the limit.
  const pass = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
  pass(0);
  await expectData(login(credentials.adminPassword));
  for (let attempt = 0; attempt < 10; attempt += 1) await expectError(login('wrong password'), 401, 'INVALID_CREDENTIALS');
  const { details } = await expectError(login(credentials.adminPassword), 401, 'INVALID_CREDENTIALS');
  expect(details).toMatchObject({ reason: 'locked' });
  // The address has its own limit: thirty requests without a credential in a minute.
  const rest = await Promise.all(Array.from({ length: 30 }, () => bare.post('/api/v1/auth/refresh', { refreshToken: 'x' })));
  expect(rest.some(({ status }) => status === 429)).toBe(true);
  pass(29);
  await expectError(login(credentials.adminPassword), 401, 'INVALID_CREDENTIALS');
  pass(2);
  await expectData(login(credentials.adminPassword));
});
