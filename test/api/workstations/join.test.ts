import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { makeRecoveryFile } from '#core/records/vault';
import type { RunningServer } from '#server';
import { surfaceOf } from '../../support/api-client.ts';
import { createEmptyInstallation } from '../../support/new-installation.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { expectData, expectError, FULL } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const FIRST = {
  businessName: 'Corner Shop',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  email: 'owner@corner.example',
  password: 'a long enough password',
  environment: 'sandbox',
};
const PASSPHRASE = 'seven quiet herons';

interface Station {
  readonly dataDir: string;
  readonly api: ReturnType<typeof surfaceOf>;
  readonly server: RunningServer;
}

async function station(dataDir?: string, masterKey?: string): Promise<Station> {
  let folder = dataDir;
  if (folder === undefined) {
    const made = await createEmptyInstallation('sqlite');
    undo.push(made.remove);
    folder = made.dataDir;
  }
  const server = await startServer({ dataDir: folder, port: 0, logLevel: 'silent', masterKey });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  undo.push(close);
  return { dataDir: folder, api: surfaceOf(server.baseUrl, '/api/v1', () => ({})), server: { ...server, close } };
}

async function database() {
  const fresh = await freshDatabase();
  undo.push(fresh.drop);
  return {
    url: fresh.url,
    /** Everything that shows whether data was written. */
    async print() {
      const client = new Client({ connectionString: fresh.url });
      await client.connect();
      const { rows } = await client.query(
        "SELECT (SELECT count(*)::int FROM tenants) AS tenants, (SELECT string_agg(key_id || wrapped, ',') FROM master_keys) AS keys, (SELECT count(*)::int FROM users) AS users",
      );
      await client.end();
      return rows[0] as { tenants: number; keys: string; users: number };
    },
  };
}

const keyOf = async ({ dataDir }: Station) => (await readFile(join(dataDir, 'master.key'), 'utf8')).trim();
const signIn = ({ api }: Station, tenantId: string) =>
  api.post<{ token: string }>('/auth/login', { email: FIRST.email, password: FIRST.password }, { 'X-Tenant-ID': tenantId });

test('joins an installation with its key, so that its users can sign in', async () => {
  const one = await station();
  const shared = await database();
  const { tenantId } = await expectData(one.api.post<{ tenantId: string }>('/setup', { ...FIRST, databaseUrl: shared.url }));
  const before = await shared.print();
  const two = await station();
  const ownKey = await keyOf(two);

  const checked = await expectData(two.api.post('/setup/database-check', { databaseUrl: shared.url }));
  expect(checked).toMatchObject({ ok: true, holdsInstallation: true, needsKey: true });
  // It refuses a second installation by mistake, guessed keys and keys of another installation.
  await expectError(two.api.post('/setup', { ...FIRST, databaseUrl: shared.url }), 409, 'RESOURCE_CONFLICT', 'databaseUrl');
  await expectError(two.api.post('/setup/join', { databaseUrl: shared.url }), 400, 'REQUIRED_FIELD_MISSING', 'key');
  const other = randomBytes(32).toString('hex');
  const wrong = await expectError(two.api.post('/setup/join', { databaseUrl: shared.url, key: other }), 400, 'VALIDATION_ERROR', 'key');
  expect(wrong.message).toMatch(/key of another installation/);
  await expectError(two.api.post('/setup/join', { databaseUrl: shared.url, key: 'no key' }), 400, 'VALIDATION_ERROR', 'key');
  expect(await shared.print()).toEqual(before);
  expect(await keyOf(two)).toBe(ownKey);
  expect(existsSync(join(two.dataDir, 'config.json'))).toBe(false);
  expect(await expectData(two.api.get('/setup'))).toEqual({ required: true });

  expect(await expectData(two.api.post('/setup/join', { databaseUrl: shared.url, key: await keyOf(one) }))).toEqual({ joined: true });
  expect(await keyOf(two)).toBe(await keyOf(one));
  expect((await stat(join(two.dataDir, 'master.key'))).mode & 0o077).toBe(0);
  expect(await expectData(two.api.get('/setup'))).toEqual({ required: false });
  await expectData(signIn(two, tenantId));
  await expectError(two.api.post('/setup/join', { databaseUrl: shared.url, key: other }), 404, 'NOT_FOUND');
  expect((await shared.print()).tenants).toBe(1);

  await two.server.close();
  const again = await station(two.dataDir);
  await expectData(signIn(again, tenantId));
});

test('joins with the recovery file and its passphrase, and with a key that is present already', FULL, async () => {
  const one = await station();
  const shared = await database();
  const { tenantId } = await expectData(one.api.post<{ tenantId: string }>('/setup', { ...FIRST, databaseUrl: shared.url }));
  const key = await makeRecoveryFile(Buffer.from(await keyOf(one), 'hex'), PASSPHRASE, Date.now());
  const two = await station();
  const ask = (more: object) => two.api.post('/setup/join', { databaseUrl: shared.url, key, ...more });
  await expectError(ask({}), 400, 'REQUIRED_FIELD_MISSING', 'passphrase');
  await expectError(ask({ passphrase: 'seven loud herons' }), 400, 'VALIDATION_ERROR', 'passphrase');
  await expectData(ask({ passphrase: PASSPHRASE }));
  await expectData(signIn(two, tenantId));

  // As after the loss of a workstation of which only the key remains.
  await two.server.close();
  await rm(join(two.dataDir, 'config.json'));
  await rm(join(two.dataDir, 'paydesk.sqlite'));
  await expect(station(two.dataDir)).rejects.toThrow('The database file paydesk.sqlite is missing');
  const copy = join(two.dataDir, 'copy-of-the-key');
  await copyFile(join(two.dataDir, 'master.key'), copy);
  const again = await station(undefined, copy);
  expect(await expectData(again.api.post('/setup/database-check', { databaseUrl: shared.url }))).toMatchObject({ needsKey: false });
  await expectData(again.api.post('/setup/join', { databaseUrl: shared.url }));
  await expectData(signIn(again, tenantId));
});

test(
  'creates one installation when several workstations set up an empty database in parallel, and cannot join an empty one',
  FULL,
  async () => {
    const shared = await database();
    const stations = [await station(), await station()];
    const [first] = stations as [Station];
    const alone = await expectError(first.api.post('/setup/join', { databaseUrl: shared.url }), 400, 'VALIDATION_ERROR', 'databaseUrl');
    expect(alone.message).toMatch(/no Paydesk installation/);
    const answers = await Promise.all(stations.map(({ api }) => api.post('/setup', { ...FIRST, databaseUrl: shared.url })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await shared.print()).tenants).toBe(1);
    const loser = stations[answers.findIndex(({ status }) => status !== 200)] as Station;
    const winner = stations[answers.findIndex(({ status }) => status === 200)] as Station;
    expect(await expectData(loser.api.get('/setup'))).toEqual({ required: true });
    await expectData(loser.api.post('/setup/join', { databaseUrl: shared.url, key: await keyOf(winner) }));
  },
);
