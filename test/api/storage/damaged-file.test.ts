// Real damage: 4 KiB of random bytes inside a file with sample data.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { backUp, type RunningServer, restoreBackup } from '#server';
import { startServerProcess } from '../../support/process.ts';
import { CARDS, cardBody } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { type Api, apiOf, expectData, expectError, FULL } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

const GARBAGE_BYTES = 4_096;
const SERVICE = 'paydesk.sqlite';
const SANDBOX = 'sandbox-gateway.sqlite';
const SALE = { Amount: 5, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031' };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function seeded(): Promise<string> {
  const { dataDir, remove } = await createSampleInstallation('sqlite', 'small');
  undo.push(remove);
  return dataDir;
}

/** Overwrites 4 KiB of a file at an offset. */
function damage(file: string, offset: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, randomBytes(GARBAGE_BYTES), 0, GARBAGE_BYTES, Math.min(offset, statSync(file).size - GARBAGE_BYTES));
  closeSync(descriptor);
}

/** Overwrites the first page of a table and of each of its indexes, or of one index. */
function damagePages(file: string, name: string): void {
  const handle = new BetterSqlite3(file, { readonly: true });
  const roots = handle
    .prepare('SELECT rootpage FROM sqlite_schema WHERE name = :name OR tbl_name = :name')
    .pluck()
    .all({ name }) as number[];
  const pageSize = handle.pragma('page_size', { simple: true }) as number;
  handle.close();
  expect(roots).not.toEqual([]);
  for (const root of roots) damage(file, (root - 1) * pageSize);
}

async function start(dataDir: string): Promise<RunningServer> {
  const server = await startServer({ dataDir, port: 0, demo: true, logLevel: 'silent' });
  undo.push(() => server.close());
  return server;
}

interface Health {
  readonly status: string;
  readonly database: { readonly status: string };
  readonly problems: readonly string[];
}

const healthOf = async ({ baseUrl }: { readonly baseUrl: string }) => (await (await fetch(`${baseUrl}/health`)).json()) as Health;

const untilDamaged = (server: { readonly baseUrl: string }) =>
  until('health reports the damage', async () => {
    const health = await healthOf(server);
    return health.database.status === 'damaged' ? health : undefined;
  });

/** The surfaces of a server with sample data. */
function surfacesOf({ baseUrl, credentials }: RunningServer): Api {
  if (!credentials) throw new Error('the server has sample data');
  return apiOf(baseUrl, credentials);
}

interface BackupRecord {
  readonly folder: string;
  readonly name: string;
  readonly check: { readonly status: string };
}

describe('a database file that is damaged while the server is stopped', () => {
  for (const part of [0.2, 0.4, 0.6, 0.8])
    test(`finds damage at ${part} of the file in the background, and stops payments with 503`, part === 0.8 ? {} : FULL, async () => {
      const dataDir = await seeded();
      const file = join(dataDir, SERVICE);
      // No check reads the content of a free page.
      const handle = new BetterSqlite3(file);
      handle.exec('VACUUM');
      handle.close();
      damage(file, Math.floor((statSync(file).size * part) / GARBAGE_BYTES) * GARBAGE_BYTES);
      const started = await startServer({ dataDir, port: 0, demo: true, logLevel: 'silent' }).catch((error: unknown) => error as Error);
      if (started instanceof Error) {
        // The server reads the damaged page before it is ready.
        expect(started.message).toContain(`The database file ${SERVICE} is damaged.`);
        return;
      }
      undo.push(() => started.close());
      const health = await untilDamaged(started);
      expect(health).toMatchObject({ status: 'degraded', problems: [expect.stringContaining(`The database file ${SERVICE} is damaged.`)] });
      await expectError(surfacesOf(started).public.post('/transaction', SALE), 503, 'SERVICE_UNAVAILABLE');
    });

  test('stops the next start with the steps if the damage was known when the server stopped', async () => {
    const dataDir = await seeded();
    damagePages(join(dataDir, SANDBOX), 'sandbox_ledger_by_time');
    const server = await startServer({ dataDir, port: 0, demo: true, logLevel: 'silent' });
    await untilDamaged(server).finally(() => server.close());
    const error = await startServer({ dataDir, port: 0, logLevel: 'silent' }).then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({
      message: `The database file ${SANDBOX} is damaged. Payments and all other changes are stopped.`,
      instructions: expect.stringContaining(`npx paydesk restore BACKUP --data-dir ${dataDir}`),
    });
  });
});

test('finds a damaged file of the sandbox gateway in a backup, and names the last verified backup on the status page', FULL, async () => {
  const dataDir = await seeded();
  const server = await start(dataDir);
  const { admin } = surfacesOf(server);
  await expectData(admin.post('/system/backup'));
  const proven = await until('a backup passes its check', async () => {
    const [newest] = await expectData(admin.get<BackupRecord[]>('/system/backups?limit=1'));
    return newest?.check.status === 'good' ? newest : undefined;
  });
  damagePages(join(dataDir, SANDBOX), 'sandbox_ledger_by_time');
  expect(await healthOf(server)).toMatchObject({ database: { status: 'ok' } });
  await expectData(admin.post('/system/backup'));
  await untilDamaged(server);
  const error = await expectError(admin.post('/transactions', cardBody('5.00', CARDS.visa)), 503, 'SERVICE_UNAVAILABLE');
  expect(error.details).toEqual({ reason: 'database_damaged', file: SANDBOX });
  const { items } = await expectData(admin.get<{ items: { name: string; state: string; message: string }[] }>('/system/status'));
  const { state, message } = items.find(({ name }) => name === 'database') ?? {};
  expect(state).toBe('problem');
  expect(message).toContain(`npx paydesk restore ${join(proven.folder, proven.name)} --data-dir ${dataDir}`);
  await expectData(admin.get('/transactions?limit=5'));
});

test('checks the file of a killed server before it is ready, and states the file and the steps', FULL, async () => {
  const dataDir = await seeded();
  const killed = await startServerProcess(dataDir);
  await killed.kill();
  damagePages(join(dataDir, SERVICE), 'transactions');
  // Pages in the log of the killed server hide the damage in the file.
  for (const end of ['-wal', '-shm']) rmSync(join(dataDir, SERVICE + end), { force: true });
  const error = await startServerProcess(dataDir).then(
    () => null,
    (cause: Error) => cause.message,
  );
  expect(error).toMatch(/paydesk: The database file paydesk\.sqlite is damaged\..*1\. Stop Paydesk\..*npx paydesk restore/);
  expect(error).not.toMatch(/malformed|not a database|SQLITE_/);
});

test('leaves a mark after a clean stop and removes it while it runs', async () => {
  const dataDir = await seeded();
  const mark = join(dataDir, `${SERVICE}.clean-stop`);
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  expect(statSync(mark, { throwIfNoEntry: false })).toBeUndefined();
  await server.close();
  expect(statSync(mark).isFile()).toBe(true);
});

test("refuses a file that is not a database at the start, without SQLite's message", async () => {
  const dataDir = await seeded();
  damage(join(dataDir, SERVICE), 0);
  const error = await startServer({ dataDir, port: 0, logLevel: 'silent' }).then(
    () => null,
    (cause: Error) => cause.message,
  );
  expect(error).toBe(`The database file ${SERVICE} is damaged. Payments and all other changes are stopped.`);
});

test('stops payments in a running server after the first statement that finds damage, and still answers other reads', async () => {
  const dataDir = await seeded();
  const file = join(dataDir, SERVICE);
  const server = await start(dataDir);
  const { admin } = surfacesOf(server);
  await expectData(admin.post('/transactions', cardBody('5.00', CARDS.visa)));
  // Another connection moves the log into the file, so that the damage isn't hidden by the log.
  const other = new BetterSqlite3(file);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  damagePages(file, 'invoices');
  await expectError(admin.get('/invoices'), 503, 'SERVICE_UNAVAILABLE');
  await expectError(admin.post('/transactions', cardBody('6.00', CARDS.visa)), 503, 'SERVICE_UNAVAILABLE');
  expect((await healthOf(server)).database.status).toBe('damaged');
  await expectData(admin.get('/transactions?limit=5'));
});

test('restores the installation with the backup that the instructions name', FULL, async () => {
  const dataDir = await seeded();
  const to = join(dataDir, 'backups');
  const { file: backup, transactions } = await backUp({ dataDir, databaseUrl: undefined }, to, {});
  damage(join(dataDir, SERVICE), 0);
  await expect(startServer({ dataDir, port: 0, logLevel: 'silent' })).rejects.toMatchObject({
    instructions: expect.stringContaining(`backups are in ${to}.`),
  });
  for (const name of [SERVICE, SANDBOX])
    for (const end of ['', '-wal', '-shm', '.clean-stop']) rmSync(join(dataDir, name + end), { force: true });
  expect(await restoreBackup({ dataDir, databaseUrl: undefined }, backup, {})).toMatchObject({ transactions });
  expect(readFileSync(join(dataDir, SERVICE)).subarray(0, 15).toString()).toBe('SQLite format 3');
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  expect((await healthOf(server)).database.status).toBe('ok');
  await server.close();
});
