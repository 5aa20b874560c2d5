import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, restoreBackup } from '#server';
import { createCustomerWithCard, subscribe } from '../../support/customers.ts';
import { BUNDLED_COMMAND } from '../../support/process.ts';
import { createSale } from '../../support/sales.ts';
import { type ApiFixture, apiOf, expectData, FULL, startTestServer } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { sized } from '../../support/tier.ts';
import { pause, until } from '../../support/until.ts';

/** Times after the first file exists; the rest of the restore takes some hundred milliseconds. */
const KILLED_AFTER_MS = sized([0], [0, 60, 250]);
const LATER_SALES = 20;
const DAY_MS = 86_400_000;

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'paydesk-backup-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

let fixture: ApiFixture;
let dataDir: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  const started = await startTestServer('sqlite');
  const { baseUrl, credentials } = started.server;
  if (!credentials) throw new Error('a demo server tells its credentials');
  fixture = { database: 'sqlite', baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  dataDir = started.dataDir;
  let stopping: Promise<void> | undefined;
  stop = () => {
    stopping ??= started.stop();
    return stopping;
  };
  undo.push(stop);
});

interface BackupRecord {
  status: string;
  name: string;
  folder: string;
  message: string | null;
  check: { status: string; message: string | null };
}

const newest = async () => (await expectData(fixture.api.admin.get<BackupRecord[]>('/system/backups?limit=1')))[0];

async function backedUp(): Promise<BackupRecord> {
  const { admin } = fixture.api;
  await expectData(admin.post('/system/backup'));
  return until('the newest backup has failed or has been checked', async () => {
    const backup = await newest();
    return backup && (backup.status === 'failed' || ['good', 'bad'].includes(backup.check.status)) && backup;
  });
}

const key = () => ({ file: join(dataDir, 'master.key') });

/** Starts a server on a restored backup; if another ledger of the sandbox processor is given, the processor also knows later payments. */
async function restoredServer(file: string, books?: string) {
  const into = folder();
  await restoreBackup({ dataDir: into, databaseUrl: undefined }, file, key());
  if (books) copyFileSync(books, join(into, 'sandbox-gateway.sqlite'));
  const server = await startServer({ dataDir: into, masterKey: key().file, port: 0, logLevel: 'silent', sandboxTimeoutMs: 40 });
  undo.push(() => server.close());
  return apiOf(server.baseUrl, fixture.credentials);
}

test('contains every sale that was answered before the backup began, while sales continue', FULL, async () => {
  const answered: string[] = [];
  let isOver = false;
  const clerk = async () => {
    while (!isOver) answered.push((await createSale(fixture, 2)).transactionId);
  };
  const clerks = Array.from({ length: 8 }, clerk);
  await expect.poll(() => answered.length).toBeGreaterThan(20);
  const before = [...answered];
  const begun = answered.length;
  const made = backedUp();
  // The check takes longer and does not slow down sales.
  await expect.poll(async () => (await newest())?.status).toBe('made');
  isOver = true;
  await Promise.all(clerks);
  const backup = await made;
  expect(backup).toMatchObject({ status: 'made', check: { status: 'good', message: null } });
  expect(answered.length).toBeGreaterThan(begun);
  const again = await restoredServer(join(backup.folder, backup.name));
  for (const id of before)
    expect(await expectData(again.admin.get(`/transactions/${id}`))).toMatchObject({ status: 'approved', amount: 2 });
});

test('restores everything or nothing if it is killed, and can be repeated', async () => {
  const { file } = await backUp({ dataDir, databaseUrl: undefined }, folder(), {});
  const command = (into: string) => [BUNDLED_COMMAND, 'restore', file, '--data-dir', into, '--master-key', key().file];
  const into = folder();
  for (const afterMs of KILLED_AFTER_MS) {
    const child = spawn(process.execPath, command(into), { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const isFilling = () => existsSync(join(into, 'restore-begun')) || child.exitCode !== null;
    await expect.poll(isFilling, { interval: 2 }).toBe(true);
    await pause(afterMs);
    child.kill('SIGKILL');
    await exited;
    if (existsSync(join(into, 'paydesk.sqlite')) || existsSync(join(into, 'restore-filled'))) break;
    expect(readdirSync(into).filter((name) => name.endsWith('.sqlite'))).toEqual([]);
  }
  const last = spawnSync(process.execPath, command(into), { encoding: 'utf8' });
  expect(last.status === 0 || last.stderr.includes('installation in this data directory already'), last.stderr).toBe(true);
  expect(readdirSync(into).filter((name) => name.startsWith('restore-'))).toEqual([]);
  const server = await startServer({ dataDir: into, masterKey: key().file, port: 0, logLevel: 'silent' });
  const { admin } = apiOf(server.baseUrl, fixture.credentials);
  expect(await expectData(admin.get<{ valid: boolean }>('/audit-logs/verify'))).toMatchObject({ valid: true });
  await server.close();
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(canMount)('refuses a backup on a full disk with an explanation, leaves no file and continues selling', async () => {
  const { admin } = fixture.api;
  const small = folder();
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', small]).status).toBe(0);
  undo.push(() => spawnSync('umount', [small]));
  await expectData(admin.put('/system/backup', { folder: small }));
  // The disk space disappears after the folder was accepted.
  expect(spawnSync('mount', ['-o', 'remount,size=64k', small]).status).toBe(0);
  expect(await backedUp()).toMatchObject({ status: 'failed', message: expect.stringMatching(/was not started.* are free on the disk/) });
  expect(readdirSync(small)).toEqual([]);
  await createSale(fixture, 4);
  await expectData(admin.put('/system/backup', { folder: null }));
});

test('reveals payments made after an old backup, and charges nothing again automatically', async () => {
  const { customerId } = await createCustomerWithCard(fixture);
  const inFiveDays = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10);
  const { subscriptionId } = await subscribe(fixture, customerId, { startDate: inFiveDays });
  const { merchantId } = fixture.credentials;
  await createSale(fixture, '62.00');
  const { file } = await backUp({ dataDir, databaseUrl: undefined }, folder(), {});
  for (let nth = 0; nth < LATER_SALES; nth += 1) await createSale(fixture, '61.00');
  const books = join(folder(), 'books');
  const processor = new BetterSqlite3(join(dataDir, 'sandbox-gateway.sqlite'), { readonly: true });
  processor.prepare('VACUUM INTO ?').run(books);
  processor.close();
  const { admin } = await restoredServer(file, books);
  const [settlement] = await expectData(admin.post<{ settlementDate: string }[]>('/settlement/settle', { merchantId }));
  const run = await expectData(
    admin.post<{ discrepancies: { type: string }[] }>('/settlement/reconciliation/auto', { date: settlement?.settlementDate, merchantId }),
  );
  expect(run.discrepancies.filter(({ type }) => type === 'missing_in_transactions')).toHaveLength(LATER_SALES);

  const made = async () => (await expectData(admin.get<{ paymentsMade: number }>(`/recurring/${subscriptionId}`))).paymentsMade;
  await expectData(admin.post('/sandbox/clock', { advanceSeconds: 10 * 86_400 }));
  expect(await made()).toBe(0);
  await expectData(admin.post('/system/backup/resume'));
  await expectData(admin.post('/sandbox/clock', { advanceSeconds: 60 }));
  expect(await made()).toBe(1);
});
