import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createEmptyInstallation, setUpTenant } from '../../support/new-installation.ts';
import { expectData, expectError } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

test('serves requests on a running workstation as soon as another one has completed the setup', async () => {
  const { dataDir, url, remove } = await createEmptyInstallation('postgres');
  undo.push(remove);
  const masterKey = Buffer.alloc(32, 7);
  const start = async (folder: string) => {
    const server = await startServer({ dataDir: folder, databaseUrl: url, masterKey, port: 0, logLevel: 'silent' });
    undo.push(() => server.close());
    return server;
  };
  const other = await mkdtemp(join(tmpdir(), 'paydesk-other-'));
  undo.push(() => rm(other, { recursive: true, force: true }));
  const [first, second] = [await start(dataDir), await start(other)];
  const payPage = async () => (await fetch(`${second.baseUrl}/pay/unknown`)).status;
  expect((await fetch(`${second.baseUrl}/api/v1/transactions`)).status).toBe(503);
  expect(await payPage()).toBe(503);
  const tenant = await setUpTenant(first.baseUrl);
  expect(await payPage()).toBe(404);
  await expectData(tenant.at(second.baseUrl).admin.get('/transactions'));
  expect(second.environment).toBe('sandbox');
});

test('refuses a first run with another database than the option of the server, which its next start would use', async () => {
  const { dataDir, url, remove } = await createEmptyInstallation('postgres');
  undo.push(remove);
  const server = await startServer({ dataDir, databaseUrl: url, port: 0, logLevel: 'silent' });
  undo.push(() => server.close());
  const { post } = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
  const databaseUrl = `${url}_other`;
  const refusal = expect.stringContaining('was started with `--database-url` for another one');
  expect(await expectData(post('/setup/database-check', { databaseUrl }))).toMatchObject({ ok: false, message: refusal });
  const tenant = { businessName: 'Shop', currency: 'USD', timezone: 'UTC', email: 'o@shop.example', password: 'a long enough password' };
  for (const [path, body] of [
    ['/setup', { ...tenant, environment: 'sandbox', databaseUrl }],
    ['/setup/join', { databaseUrl }],
  ] as const)
    expect(await expectError(post(path, body), 400, 'VALIDATION_ERROR', 'databaseUrl')).toMatchObject({ message: refusal });
  await setUpTenant(server.baseUrl);
});
