import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer, ServerOptions } from '#server';
import { type Surface, surfaceOf } from '../../support/api-client.ts';
import { createEmptyInstallation } from '../../support/new-installation.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { expectData, expectError, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

async function emptyServer(options: Partial<ServerOptions> = {}) {
  const { dataDir, remove } = await createEmptyInstallation('sqlite');
  undo.push(remove);
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent', ...options });
  undo.push(() => server.close());
  return { dataDir, server, api: surfaceOf(server.baseUrl, '/api/v1', () => ({})) };
}

const first = {
  businessName: 'Corner Shop',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  email: 'owner@corner.example',
  password: 'a long enough password',
  environment: 'sandbox',
};

interface Made {
  token: string;
  tenantId: string;
  merchantId: string;
}

test('answers 503 until the setup, which signs in the owner and cannot be repeated', async () => {
  const { server, api } = await emptyServer();
  expect(server.environment).toBe('unset');
  expect(await expectData(api.get('/setup'))).toEqual({ required: true });
  await expectError(api.get('/transactions', { 'X-Tenant-ID': 'x' }), 503, 'SERVICE_UNAVAILABLE');
  await expectError(api.post('/auth/login', {}), 503, 'SERVICE_UNAVAILABLE');
  const made = await expectData(api.post<Made>('/setup', first));
  expect(server.environment).toBe('sandbox');
  const me = await expectData(
    api.get<Record<string, unknown>>('/auth/me', { Authorization: `Bearer ${made.token}`, 'X-Tenant-ID': made.tenantId }),
  );
  expect(me).toMatchObject({
    tenant: { name: 'Corner Shop', environment: 'sandbox' },
    merchants: [{ currency: 'EUR', timezone: 'Europe/Berlin' }],
  });
  expect(await expectData(api.get('/setup'))).toEqual({ required: false });
  await expectError(api.post('/setup', first), 404, 'NOT_FOUND');
});

describe('an invalid setup changes nothing', () => {
  let server: RunningServer;
  let api: Surface;
  beforeAll(async () => {
    ({ server, api } = await emptyServer());
  });

  test.for([
    [{ ...first, password: 'short' }, 'VALIDATION_ERROR', 'password'],
    [{ ...first, email: 'nobody' }, 'INVALID_EMAIL', 'email'],
    [{ ...first, currency: 'XXQ' }, 'INVALID_CURRENCY', 'currency'],
    [{ ...first, timezone: 'Mars/Olympus' }, 'VALIDATION_ERROR', 'timezone'],
    [{ ...first, businessName: undefined }, 'REQUIRED_FIELD_MISSING', 'businessName'],
    [{ ...first, environment: 'moon' }, 'VALIDATION_ERROR', 'environment'],
  ] as const)('%o', async ([body, code, field]) => {
    await expectError(api.post('/setup', body), 400, code, field);
    expect(server.environment).toBe('unset');
  });
});

test('completes one of several concurrent setups and answers the others with 404', async () => {
  const { api } = await emptyServer();
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, index) => api.post<Made>('/setup', { ...first, email: `owner${index}@corner.example` })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
});

test('refuses sales of a live account without a processor, and does not start with --demo on it', async () => {
  const { dataDir, server, api } = await emptyServer();
  const made = await expectData(api.post<Made>('/setup', { ...first, environment: 'live' }));
  const headers = { Authorization: `Bearer ${made.token}`, 'X-Tenant-ID': made.tenantId };
  const sale = { amount: 5, card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031' } };
  await expectError(api.post('/transactions', sale, headers), 503, 'GATEWAY_UNAVAILABLE');
  for (const tool of ['clock', 'messages', 'gateway']) await expectError(api.get(`/sandbox/${tool}`, headers), 404, 'NOT_FOUND');
  await expectError(api.post('/sandbox/clock', { advanceSeconds: 1 }, headers), 404, 'NOT_FOUND');
  await expectError(api.post('/sandbox/gateway', { mode: 'down' }, headers), 404, 'NOT_FOUND');
  await expectError(api.post('/sandbox/chargebacks', { transactionId: 'txn_1' }, headers), 404, 'NOT_FOUND');
  await expectError(api.post('/sandbox/reset', undefined, headers), 404, 'NOT_FOUND');
  await server.close();
  undo.pop();
  await expect(startServer({ dataDir, port: 0, logLevel: 'silent', demo: true })).rejects.toThrow(/live tenant/);
});

const SAMPLE_DAYS = sized(7, 92);

test('offers PostgreSQL and sample data in the setup, and keeps the choice after a restart', { ...FULL, timeout: 180_000 }, async () => {
  const { dataDir, server, api } = await emptyServer({ sampleDays: SAMPLE_DAYS });
  const fresh = await freshDatabase();
  undo.splice(-1, 0, () => fresh.drop());
  expect(await expectData(api.post('/setup/database-check', { databaseUrl: fresh.url }))).toMatchObject({ ok: true });
  expect(await expectData(api.post('/setup/database-check', { databaseUrl: 'postgres://nobody:x@127.0.0.1:1/x' }))).toMatchObject({
    ok: false,
  });
  const made = await expectData(api.post<Made>('/setup', { ...first, databaseUrl: fresh.url, sampleData: true }));
  await server.close();
  undo.pop();
  const again = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  const after = surfaceOf(again.baseUrl, '', () => ({}));
  expect(JSON.parse((await after.get('/health')).text)).toMatchObject({ database: { kind: 'postgres' } });
  const list = await after.get('/api/v1/transactions?limit=1', { Authorization: `Bearer ${made.token}`, 'X-Tenant-ID': made.tenantId });
  expect(list.body.pagination.total).toBeGreaterThan(SAMPLE_DAYS);
  await again.close();
});

test('has no sandbox gateway in a live account, and sends codes by email only with a mail server', async () => {
  const { api } = await emptyServer();
  const made = await expectData(api.post<Made>('/setup', { ...first, environment: 'live' }));
  const headers = { Authorization: `Bearer ${made.token}`, 'X-Tenant-ID': made.tenantId };
  const at = `/merchants/${made.merchantId}/gateways`;
  expect(await expectData(api.get(at, headers))).toEqual([]);
  await expectError(
    api.post(at, { type: 'sandbox', name: 'sandbox', currentPassword: first.password }, headers),
    400,
    'VALIDATION_ERROR',
    'type',
  );
  const sale = {
    type: 'sale',
    amount: 10,
    paymentMethod: 'card',
    card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031' },
  };
  await expectError(api.post('/transactions', sale, headers), 503, 'GATEWAY_UNAVAILABLE');
  const currentPassword = first.password;
  await expectError(api.put('/auth/two-factor', { enabled: true, currentPassword }, headers), 409, 'RESOURCE_CONFLICT');
  await expectData(api.put('/auth/two-factor', { enabled: false, currentPassword }, headers));
  const mail = { host: 'mail.example.com', port: 587, security: 'starttls', fromAddress: 'shop@example.com', currentPassword };
  await expectData(api.put('/notifications/channels/email', mail, headers));
  expect(await expectData(api.put('/auth/two-factor', { enabled: true, currentPassword }, headers))).toMatchObject({ twoFactor: 'email' });
});
