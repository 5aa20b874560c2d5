import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabaseAt } from '../../support/databases.ts';
import {
  ANY_DATABASE,
  type Answer,
  apiOf,
  type DatabaseKind,
  expectData,
  expectError,
  FULL,
  startTestServer,
} from '../../support/server.ts';

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Starts a server and opens its database a second time, for changes that no route makes, such as a key that expired in the past. */
async function serverWithDatabase(kind: DatabaseKind) {
  const { server, dataDir, databaseUrl, stop } = await startTestServer(kind, {}, 'small');
  stops.push(stop);
  const database = await openTestDatabaseAt(databaseUrl ?? join(dataDir, 'paydesk.sqlite'));
  stops.push(() => database.close());
  const { credentials, baseUrl } = server;
  if (!credentials) throw new Error('A server with demo tenants returns their credentials.');
  const change = (tenantId: string, table: 'users' | 'api_keys', set: string, value: string, name = '') =>
    database.unitOfWork.transaction(tenantId, (work) => {
      const which = table === 'users' ? '' : ' AND name = :name';
      return work.run(`UPDATE ${table} SET ${set} = :value WHERE tenant_id = :tenantId${which}`, which ? { value, name } : { value });
    });
  return { credentials, api: apiOf(baseUrl, credentials), change };
}

test.each(ANY_DATABASE)('checks the rate limit before the permission, and the permission before the body (%s)', FULL, async (kind) => {
  const { credentials, api, change } = await serverWithDatabase(kind);
  const { standardTenantId: tenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
  const login = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId }));
  await change(tenantId, 'users', 'role', 'viewer');
  const sell = () => api.bare.post('/api/v1/transactions', '{broken', { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${login.token}` });
  const answers: Answer<unknown>[] = await Promise.all(Array.from({ length: 101 }, sell));
  // If the minute changes, there are two windows of at most fifty, so at least one of 101 requests is over the limit.
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
});

test.each(ANY_DATABASE)('refuses revoked and expired keys, and narrowed keys outside their permissions (%s)', async (kind) => {
  const { credentials, api, change } = await serverWithDatabase(kind);
  const { tenantId, standardTenantId, tenantApiKey } = credentials;
  await change(tenantId, 'api_keys', 'revoked_at', '2026-01-01T00:00:00.000Z', 'Demo tenant key');
  await change(tenantId, 'api_keys', 'permissions', '["transactions:read"]', 'Demo merchant key');
  await change(standardTenantId, 'api_keys', 'expires_at', '2026-01-01T00:00:00.000Z', 'Standard merchant key');
  await expectError(api.public.get('/transaction-list', { 'x-api-key': tenantApiKey }), 401, 'UNAUTHORIZED');
  await expectError(api.sdk.get('/query/txn_1', { Authorization: `Bearer ${tenantApiKey}` }), 401, 'UNAUTHORIZED');
  await expectError(api.standard.get('/transaction-list'), 401, 'UNAUTHORIZED');
  await expectData(api.public.get('/transaction-list?limit=1'));
  await expectError(api.sdk.get('/query/txn_1'), 404, 'TRANSACTION_NOT_FOUND');
  await expectError(api.public.post('/refund', '{broken'), 403, 'PERMISSION_DENIED');
  await expectError(api.sdk.post('/transaction', {}), 403, 'PERMISSION_DENIED');
});
