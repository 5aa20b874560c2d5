import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, expect, test, vi } from 'vitest';
import type { RunningServer, ServerOptions } from '#server';
import { type Answer, surfaceOf } from '../../support/api-client.ts';
import { createEmptyInstallation } from '../../support/new-installation.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { expectData, expectError, FULL } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;
/** A separate small file system needs root, on Linux. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

async function newDataDir(): Promise<string> {
  const { dataDir, remove } = await createEmptyInstallation('sqlite');
  undo.push(remove);
  return dataDir;
}

/** A file system in memory that fills quickly. */
async function smallDisk(megabytes: number): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'paydesk-faults-'));
  undo.push(() => rm(path, { recursive: true, force: true }));
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status).toBe(0);
  undo.push(() => spawnSync('umount', ['-l', path]));
  return path;
}

interface Shop {
  readonly server: RunningServer;
  sell(amount: string, key?: string): Promise<Answer<TransactionRecord>>;
  readonly api: ReturnType<typeof surfaceOf>;
}

/** Starts a workstation with its own tenant and no history. */
async function startShop(dataDir: string, options: Partial<ServerOptions> = {}): Promise<Shop> {
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent', ...options });
  undo.push(() => server.close());
  const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
  const made = await expectData(
    bare.post<{ token: string; tenantId: string }>('/setup', {
      businessName: 'Corner Shop',
      currency: 'USD',
      timezone: 'UTC',
      email: 'owner@corner.example',
      password: 'a long enough password',
      environment: 'sandbox',
    }),
  );
  const api = surfaceOf(server.baseUrl, '/api/v1', () => ({ Authorization: `Bearer ${made.token}`, 'X-Tenant-ID': made.tenantId }));
  return {
    server,
    api,
    sell: (amount, key = randomUUID()) =>
      api.post<TransactionRecord>('/transactions', cardBody(amount, CARDS.visa), { 'Idempotency-Key': key }),
  };
}

async function soldAt({ api }: Shop): Promise<TransactionRecord[]> {
  const all: TransactionRecord[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { body } = await api.get<TransactionRecord[]>(`/transactions?limit=200&page=${page}`);
    all.push(...body.data);
    pages = body.pagination.pages;
  }
  return all;
}

test.runIf(mayMount)('refuses writes on a full disk with an explanation, continues reads, loses nothing and recovers', async () => {
  const disk = await smallDisk(32);
  const at = await startShop(join(disk, 'data'));
  const acknowledged = [(await expectData(at.sell('5.00'))).transactionId];
  const ballast = openSync(join(disk, 'ballast'), 'w');
  const fill = (bytes: number) => {
    for (const block = Buffer.alloc(bytes); ; ) writeSync(ballast, block);
  };
  for (const bytes of [1_048_576, 65_536, 4_096]) expect(() => fill(bytes)).toThrow(/ENOSPC/);
  let refused: Awaited<ReturnType<Shop['sell']>> | undefined;
  for (let index = 0; index < 400 && !refused; index += 1) {
    const answer = await at.sell('6.00');
    if (answer.status === 200) acknowledged.push(answer.body.data.transactionId);
    else refused = answer;
  }
  const error = await expectError(refused as Answer<TransactionRecord>, 500, 'DATABASE_ERROR');
  expect(error.message).toMatch(/disk is full|no room/i);
  expect((await soldAt(at)).filter(({ status }) => status === 'approved').length).toBeGreaterThan(0);
  expect((await fetch(`${at.server.baseUrl}/health`)).status).toBe(200);
  closeSync(ballast);
  await rm(join(disk, 'ballast'));
  await until('a sale is accepted again', async () => (await at.sell('7.00')).status === 200);
  const kept = new Map((await soldAt(at)).map((sale) => [sale.transactionId, sale.status]));
  expect(acknowledged.filter((id) => kept.get(id) !== 'approved')).toEqual([]);
  expect(await expectData(at.api.get('/audit-logs/verify'))).toMatchObject({ valid: true });
});

test.runIf(mayMount)('refuses a data directory that is not writable with an explanation', async () => {
  const disk = await smallDisk(4);
  await mkdir(join(disk, 'data'));
  expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
  await expect(startServer({ dataDir: join(disk, 'data'), port: 0, logLevel: 'silent' })).rejects.toThrow(/cannot be written/);
});

test('answers health while another program locks the database, refuses the sale with 503 and accepts its repeat', FULL, async () => {
  const dataDir = await newDataDir();
  const at = await startShop(dataDir, { lockTimeoutMs: 4_000 });
  const other = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  const key = randomUUID();
  const waiting = at.sell('8.00', key);
  // Health does not wait for the lock.
  const health = fetch(`${at.server.baseUrl}/health`);
  expect(await Promise.race([health.then(({ status }) => status), waiting.then(() => 'the sale was answered first')])).toBe(200);
  await expectError(waiting, 503, 'SERVICE_UNAVAILABLE');
  other.exec('ROLLBACK');
  other.close();
  await expectData(at.sell('8.00', key));
  expect((await soldAt(at)).map(({ amount }) => amount)).toEqual([8]);
});

test('continues sessions and sales after the clock is set back an hour, without loss or duplicates', async () => {
  const at = await startShop(await newDataDir());
  const made: string[] = [];
  const sellSome = async () => {
    for (const cents of [1, 2, 3]) made.push((await expectData(at.sell(`9.0${cents}`))).transactionId);
  };
  const key = randomUUID();
  const before = await at.sell('9.09', key);
  made.push(before.body.data.transactionId);
  await sellSome();
  const real = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() - HOUR_MS);
  await sellSome();
  expect((await at.sell('9.09', key)).text).toBe(before.text);
  await expectData(at.api.post(`/transactions/${made[1]}/refund`));
  clock.mockRestore();
  await sellSome();
  expect(new Set(made).size).toBe(10);
  expect((await soldAt(at)).map(({ transactionId }) => transactionId).toSorted()).toEqual(made.toSorted());
  // Lists are ordered by the clock; the log is ordered by its sequence.
  const log = await expectData(at.api.get<{ resource: string }[]>('/audit-logs?action=transaction.sale&limit=200'));
  expect(new Set(log.map(({ resource }) => resource.replace('transactions/', '')))).toEqual(new Set(made));
  expect(await expectData(at.api.get('/audit-logs/verify'))).toMatchObject({ valid: true });
});

test('reports a port in use, and unlocks the data directory', async () => {
  const dataDir = await newDataDir();
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };
  await expect(startServer({ dataDir, port, logLevel: 'silent' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  squatter.close();
  const server = await startServer({ dataDir, port, logLevel: 'silent' });
  expect(server.baseUrl).toContain(`:${port}`);
  await server.close();
});
