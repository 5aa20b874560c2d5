import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSnapshot } from '#core/database';
import { makeRecoveryFile, openRecoveryFile } from '#core/records/vault';
import { exchangeKey, type RunningServer, recoverKey } from '#server';
import { type Surface, surfaceOf } from '../../support/api-client.ts';
import { createEmptyInstallation } from '../../support/new-installation.ts';
import { startEmptyProcess } from '../../support/process.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type DatabaseKind, describeOnAnyDatabase, expectData, expectError, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { pause } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';

const KILLS = sized(1, 3);
const PASSWORD = 'a long enough password';
const BUSINESS = { businessName: 'Corner Shop', currency: 'USD', timezone: 'UTC', email: 'owner@corner.example', environment: 'sandbox' };

interface Keys {
  keyId: string;
  keptIn: string;
  recoveryFileSavedAt: string | null;
  mayChange: boolean;
}
interface RecoveryFile {
  keyId: string;
  fileName: string;
  file: string;
  code: string | null;
}

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'paydesk-system-'));
  undo.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function place(kind: DatabaseKind) {
  const made = await createEmptyInstallation(kind);
  undo.push(made.remove);
  return made;
}

const headersOf = (tenantId: string, token: string) => ({ 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` });

/** Signs the owner in at a server. */
async function signIn(at: string, tenantId: string): Promise<Surface> {
  const login = { email: BUSINESS.email, password: PASSWORD };
  const { token } = await expectData(
    surfaceOf(at, '/api/v1', () => ({})).post<{ token: string }>('/auth/login', login, { 'X-Tenant-ID': tenantId }),
  );
  return surfaceOf(at, '/api/v1', () => headersOf(tenantId, token));
}

/** Sets up an installation. Returns the owner's surface there, and a function that signs the owner in at other servers. */
async function setUp(baseUrl: string): Promise<{ owner: Surface; as: (at: string) => Promise<Surface>; tenantId: string }> {
  const bare = surfaceOf(baseUrl, '/api/v1', () => ({}));
  const { token, tenantId } = await expectData(
    bare.post<{ token: string; tenantId: string }>('/setup', { ...BUSINESS, password: PASSWORD }),
  );
  return { owner: surfaceOf(baseUrl, '/api/v1', () => headersOf(tenantId, token)), as: (at) => signIn(at, tenantId), tenantId };
}

const masterKeyIn = async (file: string) => Buffer.from((await readFile(file, 'utf8')).trim(), 'hex');

/** Returns the bytes of every file except the key file. */
async function bytesOf(dataDir: string): Promise<string> {
  const names = (await readdir(dataDir)).filter((name) => !name.startsWith('master.key'));
  return (await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')))).join('\n');
}

describeOnAnyDatabase('the keys', (fixture) => {
  test('shows the state to users with the permission for settings, and allows changes to owners of the first account only', async () => {
    const { api, credentials } = fixture();
    expect(await expectData(api.admin.get<Keys>('/system/keys'))).toMatchObject({ keptIn: 'file', mayChange: true });
    const admin = (await createUser(fixture(), 'admin', { allMerchants: true })).headers;
    expect(await expectData(api.admin.get<Keys>('/system/keys', admin))).toMatchObject({ mayChange: false });
    const { standardTenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const tenant = { 'X-Tenant-ID': standardTenantId };
    const stranger = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
    for (const headers of [admin, { ...tenant, Authorization: `Bearer ${stranger.token}` }]) {
      await expectError(api.admin.post('/system/recovery-file', { currentPassword: password }, headers), 403, 'PERMISSION_DENIED');
      await expectError(api.admin.post('/system/recovery-file/saved', { keyId: 'x' }, headers), 403, 'PERMISSION_DENIED');
      await expectError(api.admin.post('/system/master-key/exchange', { currentPassword: password }, headers), 403, 'PERMISSION_DENIED');
    }
  });

  test('requires the password again, and counts wrong ones as at sign-in', async () => {
    const { api } = fixture();
    const { headers } = await createUser(fixture(), 'owner');
    for (let index = 0; index < 10; index += 1) {
      await expectError(
        api.admin.post('/system/recovery-file', { currentPassword: 'not mine' }, headers),
        400,
        'VALIDATION_ERROR',
        'currentPassword',
      );
    }
    const { data } = (await api.admin.get<{ action: string }[]>('/audit-logs?limit=5')).body;
    expect(data.map(({ action }) => action)).toContain('user.locked');
  });

  test('renews a data key once within two minutes, and still charges earlier tokens', async () => {
    const { api } = fixture();
    const { token } = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(71)));
    await api.admin.post('/sandbox/clock', { advanceSeconds: 300 });
    const { version } = await expectData(api.admin.post<{ version: number }>('/system/data-key/renew'));
    expect(version).toBeGreaterThan(1);
    await expectError(api.admin.post('/system/data-key/renew'), 409, 'RESOURCE_CONFLICT');
    expect(await expectData(api.public.post('/token-transaction', { token, amount: 12.5 }))).toMatchObject({ status: 'approved' });
  });
});

test.each(ANY_DATABASE)(
  'stores the master key in the recovery file until its exchange, and nowhere else in clear text (%s)',
  async (kind) => {
    const { dataDir, url } = await place(kind);
    const options = { dataDir, databaseUrl: url, port: 0, logLevel: 'silent' };
    let server = await startServer(options);
    const stop = async (running: RunningServer) => running.close();
    try {
      const { owner, as } = await setUp(server.baseUrl);
      const { transactionId, token } = await expectData(
        owner.post<TransactionRecord>('/transactions', cardBody(50), { 'Idempotency-Key': 'first' }),
      );
      expect((await expectData(owner.get<Keys>('/system/keys'))).recoveryFileSavedAt).toBeNull();
      await expectError(
        owner.post('/system/recovery-file', { currentPassword: PASSWORD, passphrase: 'short' }),
        400,
        'VALIDATION_ERROR',
        'passphrase',
      );
      const made = await expectData(owner.post<RecoveryFile>('/system/recovery-file', { currentPassword: PASSWORD }));
      const key = await masterKeyIn(join(dataDir, 'master.key'));
      expect(await openRecoveryFile(Buffer.from(made.file), made.code ?? '')).toEqual(key);
      const saved = await expectData(owner.post<Keys>('/system/recovery-file/saved', { keyId: made.keyId }));
      expect(saved.recoveryFileSavedAt).toMatch(/^\d{4}-/);

      const exchanged = await expectData(owner.post<Keys>('/system/master-key/exchange', { currentPassword: PASSWORD }));
      expect(exchanged.keyId).not.toBe(made.keyId);
      expect(exchanged.recoveryFileSavedAt, 'the recovery file is of the old key').toBeNull();
      await expectError(owner.post('/system/recovery-file/saved', { keyId: made.keyId }), 409, 'RESOURCE_CONFLICT');
      const next = await masterKeyIn(join(dataDir, 'master.key'));
      const own = await expectData(
        owner.post<RecoveryFile>('/system/recovery-file', { currentPassword: PASSWORD, passphrase: 'one of my own making' }),
      );
      expect(own.code).toBeNull();
      expect(await openRecoveryFile(Buffer.from(own.file), 'one of my own making')).toEqual(next);
      const actions = (await expectData(owner.get<{ action: string }[]>('/audit-logs?limit=50'))).map(({ action }) => action);
      for (const action of ['recovery_file.made', 'recovery_file.saved', 'master_key.exchanged']) expect(actions).toContain(action);

      const answers = JSON.stringify([made, saved, exchanged, own]);
      const stored = await bytesOf(dataDir);
      await stop(server);
      const stopped = await bytesOf(dataDir);
      for (const secret of [key, next]) {
        const forms = [
          secret.toString('latin1'),
          secret.toString('hex'),
          secret.toString('base64').slice(0, -1),
          secret.toString('base64url'),
        ];
        for (const form of forms) expect([answers, stored, stopped].some((text) => text.includes(form))).toBe(false);
      }

      await expect(exchangeKey(options, { dataKeys: true })).rejects.toThrow(
        /The data key of Corner Shop was created at 20\S+Z, less than two minutes ago\. Try again after 20\S+Z\./,
      );
      server = await startServer(options);
      await expectData((await as(server.baseUrl)).post('/sandbox/clock', { advanceSeconds: 300 }));
      await stop(server);

      // Earlier data is unchanged: the response of the first sale is the stored one, its token can be charged, its audit log is valid.
      const { keyId } = await exchangeKey(options, { dataKeys: true });
      server = await startServer(options);
      const later = await as(server.baseUrl);
      expect((await expectData(later.get<Keys>('/system/keys'))).keyId).toBe(keyId);
      const repeated = await expectData(later.post<TransactionRecord>('/transactions', cardBody(50), { 'Idempotency-Key': 'first' }));
      expect(repeated.transactionId).toBe(transactionId);
      const charged = { type: 'sale', amount: 51, paymentMethod: 'token', token };
      expect(await expectData(later.post('/transactions', charged))).toMatchObject({ status: 'approved' });
      expect(await expectData(later.get('/audit-logs/verify'))).toMatchObject({ valid: true });
    } finally {
      await stop(server);
    }
  },
);

test.each(ANY_DATABASE)('renews the data keys of the accounts that have one, and creates none to check it (%s)', async (kind) => {
  const { dataDir, url, remove } = await createSampleInstallation(kind);
  undo.push(remove);
  const options = { dataDir, databaseUrl: url };
  const snapshot = async () => {
    const opened = await openSnapshot(url === undefined ? { file: join(dataDir, 'paydesk.sqlite') } : { url });
    const [tenants, keys] = [await opened.all('SELECT id FROM tenants'), await opened.all('SELECT DISTINCT tenant_id FROM data_keys')];
    await opened.close();
    return { tenants: tenants.length, withKey: keys.length };
  };
  const before = await snapshot();
  expect(before.withKey).toBeLessThan(before.tenants);
  expect(await exchangeKey(options, { dataKeys: true })).toMatchObject({ renewed: before.withKey });
  expect(await snapshot()).toEqual(before);
});

test.each(ANY_DATABASE)('refuses a wrong or missing key before anything is written (%s)', async (kind) => {
  const { dataDir, url } = await place(kind);
  const options = { dataDir, databaseUrl: url, port: 0, logLevel: 'silent' };
  const server = await startServer(options);
  await setUp(server.baseUrl);
  await server.close();
  const hash = async () =>
    createHash('sha256')
      .update(await readFile(join(dataDir, 'paydesk.sqlite')))
      .digest('hex');
  const before = kind === 'sqlite' ? await hash() : '';
  const elsewhere = join(await folder(), 'other.key');
  await expect(startServer({ ...options, masterKey: elsewhere })).rejects.toThrow(/there is no key in/);
  expect(await readdir(join(elsewhere, '..')), 'no key is made for somebody else’s data').toEqual([]);
  await writeFile(elsewhere, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
  await expect(startServer({ ...options, masterKey: elsewhere })).rejects.toThrow(/does not open this database/);
  await expect(exchangeKey({ ...options, masterKey: elsewhere })).rejects.toThrow(/does not open this database/);
  if (kind === 'sqlite') expect(await hash()).toBe(before);
  // With its recovery file the key can be restored; with that of another key it cannot.
  const key = await masterKeyIn(join(dataDir, 'master.key'));
  const another = Buffer.from(await makeRecoveryFile(Buffer.alloc(32, 7), PASSWORD, 0));
  await rm(join(dataDir, 'master.key'));
  await expect(recoverKey(options, another, PASSWORD)).rejects.toThrow(/does not open this database/);
  expect(await readdir(dataDir)).not.toContain('master.key');
  await recoverKey(options, Buffer.from(await makeRecoveryFile(key, PASSWORD, 0)), PASSWORD);
  await (await startServer(options)).close();
});

test('reports a key exchanged by another workstation until the new key is copied', FULL, async () => {
  const { dataDir: one, url } = await place('postgres');
  const { dataDir: two } = await place('sqlite');
  const options = { databaseUrl: url, port: 0, logLevel: 'silent' };
  const first = await startServer({ ...options, dataDir: one });
  const { owner, as } = await setUp(first.baseUrl);
  await writeFile(join(two, 'master.key'), await readFile(join(one, 'master.key')), { mode: 0o600 });
  const second = await startServer({ ...options, dataDir: two });
  const there = await as(second.baseUrl);
  await expectData(owner.post('/system/master-key/exchange', { currentPassword: PASSWORD }));
  await expectData(there.post('/transactions', cardBody(60)), 200);
  await expectError(there.post('/system/master-key/exchange', { currentPassword: PASSWORD }), 503, 'SERVICE_UNAVAILABLE');
  await second.close();
  await expect(startServer({ ...options, dataDir: two })).rejects.toThrow(/does not open this database/);
  await writeFile(join(two, 'master.key'), await readFile(join(one, 'master.key')), { mode: 0o600 });
  const again = await startServer({ ...options, dataDir: two });
  await expectData((await as(again.baseUrl)).post('/system/master-key/exchange', { currentPassword: PASSWORD }));
  await again.close();
  await first.close();
});

test('starts after a kill during an exchange of the master key, and still charges every token', async () => {
  const { dataDir } = await place('sqlite');
  let token: string | undefined;
  let tenantId = '';
  for (let round = 0; round < KILLS; round += 1) {
    const killed = await startEmptyProcess(dataDir);
    let ask: Surface;
    if (round === 0) {
      const made = await setUp(killed.baseUrl);
      ({ owner: ask, tenantId } = made);
      ({ token } = await expectData(ask.post<TransactionRecord>('/transactions', cardBody(80))));
    } else ask = await signIn(killed.baseUrl, tenantId);
    let answered = 0;
    const exchanging = (async () => {
      for (;;) {
        await expectData(ask.post('/system/master-key/exchange', { currentPassword: PASSWORD }));
        answered += 1;
      }
    })().catch(() => {});
    await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(0);
    await pause(round * 7);
    await killed.kill();
    await exchanging;
    const next = await startServer({ dataDir, port: 0, logLevel: 'silent' });
    const charged = { type: 'sale', amount: 81 + round, paymentMethod: 'token', token };
    expect(await expectData((await signIn(next.baseUrl, tenantId)).post('/transactions', charged))).toMatchObject({ status: 'approved' });
    expect((await readdir(dataDir)).filter((name) => name.startsWith('master.key')).toSorted()).toEqual([
      'master.key',
      'master.key.installation',
    ]);
    await next.close();
  }
});
