import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishRestore } from '#core/records/backup';
import { makeRecoveryFile } from '#core/records/vault';
import { backUp, restoreBackup } from '#server';
import { surfaceOf } from '../../support/api-client.ts';
import { createSale, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, apiOf, expectData, FULL, startTestServer } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

const SERVICE = 'paydesk.sqlite';
const SANDBOX = 'sandbox-gateway.sqlite';
const FILLED = 'restore-filled';
const OWNER = { email: 'owner@corner.example', password: 'a long enough password' };
const BUSINESS = { businessName: 'Corner Shop', currency: 'USD', timezone: 'UTC', environment: 'sandbox' };
const PASSPHRASE = 'a passphrase for the file';

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'paydesk-place-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

let fixture: ApiFixture;
let file: string;
let keyFile: string;
let made: TransactionRecord;
/** A data directory with a restored backup that was never started. */
let restored: string;
beforeAll(async () => {
  const { dataDir, server, stop } = await startTestServer('sqlite');
  undo.push(stop);
  const { baseUrl, credentials } = server;
  if (!credentials) throw new Error('a demo server tells its credentials');
  fixture = { database: 'sqlite', baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  made = await createSale(fixture, '12.34');
  keyFile = join(dataDir, 'master.key');
  file = (await backUp({ dataDir, databaseUrl: undefined }, folder(), {})).file;
  restored = folder();
  await restoreBackup({ dataDir: restored, databaseUrl: undefined }, file, { file: keyFile });
});

/** Sets up another installation in a data directory, and stops its server. */
async function setUp(dataDir: string): Promise<string> {
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
  const { tenantId } = await expectData(bare.post<{ tenantId: string }>('/setup', { ...BUSINESS, ...OWNER }));
  await server.close();
  return tenantId;
}

/** Starts a server and signs its owner in. */
async function expectStillThere(dataDir: string, tenantId: string): Promise<void> {
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  try {
    const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
    await expectData(bare.post('/auth/login', OWNER, { 'X-Tenant-ID': tenantId }));
  } finally {
    await server.close();
  }
}

test('leaves nothing if the files of a restore cannot be moved, and never overwrites a later installation', FULL, async () => {
  const dataDir = folder();
  const obstacle = join(dataDir, SANDBOX);
  mkdirSync(join(obstacle, 'in the way'), { recursive: true });
  await expect(restoreBackup({ dataDir, databaseUrl: undefined }, file, { file: keyFile })).rejects.toThrow();
  expect(readdirSync(dataDir).toSorted()).toEqual([SANDBOX]);
  rmSync(obstacle, { recursive: true });
  await expectStillThere(dataDir, await setUp(dataDir));
});

test('deletes leftovers of an earlier restore if an installation exists', FULL, async () => {
  const dataDir = folder();
  const tenantId = await setUp(dataDir);
  mkdirSync(join(dataDir, FILLED));
  for (const name of [SERVICE, SANDBOX]) copyFileSync(join(restored, name), join(dataDir, FILLED, name));
  await expectStillThere(dataDir, tenantId);
  expect(existsSync(join(dataDir, FILLED))).toBe(false);
});

test.each([
  { waiting: [SERVICE, SANDBOX], placed: [] },
  { waiting: [SERVICE], placed: [SANDBOX] },
  { waiting: [SANDBOX], placed: [SERVICE] },
  { waiting: [], placed: [SERVICE, SANDBOX] },
])('completes a restore at the next start that was killed after moving $placed', ({ waiting, placed }) => {
  const dataDir = folder();
  mkdirSync(join(dataDir, FILLED));
  for (const name of waiting) copyFileSync(join(restored, name), join(dataDir, FILLED, name));
  for (const name of placed) copyFileSync(join(restored, name), join(dataDir, name));
  finishRestore(dataDir);
  expect(
    readdirSync(dataDir)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .toSorted(),
  ).toEqual([SERVICE, SANDBOX]);
  for (const name of [SERVICE, SANDBOX]) expect(readFileSync(join(dataDir, name)).equals(readFileSync(join(restored, name)))).toBe(true);
});

test('keeps the key in the named key file, and moves the key of a recovery file into the data directory', async () => {
  expect(readdirSync(restored)).not.toContain('master.key');
  await expect(startServer({ dataDir: restored, port: 0, logLevel: 'silent' })).rejects.toThrow(/there is no key in .*--master-key/);
  const server = await startServer({ dataDir: restored, port: 0, logLevel: 'silent', masterKey: keyFile });
  const { admin } = apiOf(server.baseUrl, fixture.credentials);
  expect(await expectData(admin.get(`/transactions/${made.transactionId}`))).toMatchObject({ amount: 12.34 });
  await server.close();

  const key = Buffer.from(readFileSync(keyFile, 'utf8').trim(), 'hex');
  const recovery = join(folder(), 'paydesk-recovery.json');
  writeFileSync(recovery, await makeRecoveryFile(key, PASSPHRASE, 0));
  const dataDir = folder();
  const { keyLocation } = await restoreBackup({ dataDir, databaseUrl: undefined }, file, { file: recovery, passphrase: PASSPHRASE });
  expect(keyLocation).toBe(join(dataDir, 'master.key'));
  expect(readFileSync(keyLocation, 'utf8')).toBe(readFileSync(keyFile, 'utf8'));
});

test('writes the key into the data directory of a desktop application after a restore, and no key after a failed one', async () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'master-key.json'), '{}');
  const place = { dataDir, databaseUrl: undefined };
  const damaged = join(folder(), 'damaged');
  writeFileSync(damaged, readFileSync(file).subarray(0, -100));
  await expect(restoreBackup(place, damaged, { file: keyFile })).rejects.toThrow(/damaged/);
  expect(readdirSync(dataDir).toSorted()).toEqual(['master-key.json']);
  await restoreBackup(place, file, { file: keyFile });
  expect(readFileSync(join(dataDir, 'master.key'), 'utf8')).toBe(readFileSync(keyFile, 'utf8'));
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** A separate disk for a data directory. */
function disk(bytes: number): { dataDir: string; databaseUrl: undefined } {
  const small = folder();
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${Math.ceil(bytes)}`, 'tmpfs', small]).status).toBe(0);
  undo.push(() => spawnSync('umount', [small]));
  return { dataDir: join(small, 'data'), databaseUrl: undefined };
}

test.runIf(canMount)('refuses a restore on a full disk before it starts, with an explanation and without leaving files', async () => {
  const place = disk(1_000_000);
  const words = /was not started: it may need \d+ MB, but only 1 MB are free/;
  await expect(restoreBackup(place, file, { file: keyFile })).rejects.toThrow(words);
  expect(existsSync(place.dataDir)).toBe(false);
});

test.runIf(canMount)('needs hardly more disk space for a restore than the restored data', FULL, async () => {
  const bytes = [SERVICE, SANDBOX].reduce((sum, name) => sum + statSync(join(restored, name)).size, 0);
  const place = disk(bytes * 1.3);
  expect(await restoreBackup(place, file, { file: keyFile })).toMatchObject({ fault: null });
});
