// A database that is missing or empty beside other parts of its installation, parts of two installations, and interrupted first starts.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { connectWritable } from '#core/database';
import { makeRecoveryFile } from '#core/records/vault';
import { backUp, checkLedger, exchangeKey, recoverKey, restoreBackup, seedHistory } from '#server';
import { surfaceOf } from '../../support/api-client.ts';
import { createEmptyInstallation } from '../../support/new-installation.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { BUNDLED_COMMAND, launchEmptyProcess, startServerProcess } from '../../support/process.ts';
import { createSampleInstallation, type SampleData } from '../../support/sample-data.ts';
import { expectData, FULL, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

const SERVICE = 'paydesk.sqlite';
const SANDBOX = 'sandbox-gateway.sqlite';
const MARK = 'master.key.installation';
const LOGS = ['-wal', '-shm'];

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-parts-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function seeded(data: SampleData = 'small', database: 'sqlite' | 'postgres' = 'sqlite') {
  const installation = await createSampleInstallation(database, data);
  undo.push(installation.remove);
  return installation;
}

/** Ways in which a database file loses its contents. */
const LOSSES: Readonly<Record<'missing' | 'empty' | 'without tables', (file: string) => void>> = {
  missing: (file) => rmSync(file),
  empty: (file) => truncateSync(file),
  'without tables': (file) => {
    rmSync(file);
    const handle = new BetterSqlite3(file);
    handle.exec('CREATE TABLE t (a); DROP TABLE t');
    handle.close();
  },
};

function lose(dataDir: string, name: string, loss: keyof typeof LOSSES = 'missing'): void {
  for (const log of LOGS) rmSync(join(dataDir, name + log), { force: true });
  LOSSES[loss](join(dataDir, name));
}

const quiet = (dataDir: string) => ({ dataDir, port: 0, logLevel: 'silent' });

/** Returns the error of an operation that must fail; a server that starts nevertheless is stopped. */
async function failureOf(operation: Promise<unknown>): Promise<Error & { instructions?: string }> {
  const result = await operation.catch((error: Error) => error);
  if (result instanceof Error) return result;
  await (result as { close?(): Promise<void> } | undefined)?.close?.();
  throw new Error('the operation succeeded');
}

/** Returns the ID of the installation in a data directory, as its key's mark states it. */
const idOf = (dataDir: string) => readFileSync(join(dataDir, MARK), 'utf8').trim().split(' ')[1] as string;

describe.each([SERVICE, SANDBOX])('an installation whose %s has no contents', (name) => {
  test.each(['missing', 'empty', 'without tables'] as const)(
    'is refused with the steps of a restore, and stays as it is (%s)',
    async (loss) => {
      const { dataDir } = await seeded();
      lose(dataDir, name, loss);
      const before = readdirSync(dataDir).toSorted();
      for (const options of [{}, { demo: true }]) {
        const error = await failureOf(startServer({ ...quiet(dataDir), ...options }));
        expect(error.message).toMatch(
          new RegExp(
            `^The database file ${name.replace('.', '\\.')} is (missing|empty), but .* shows that this data directory contained an installation`,
          ),
        );
        expect(error.instructions).toContain('npx paydesk restore');
      }
      const logs = (names: string[]) => names.filter((each) => !/-(wal|shm)$/.test(each));
      expect(logs(readdirSync(dataDir).toSorted())).toEqual(logs(before));
    },
  );

  test('is refused by every command that opens the data directory', FULL, async () => {
    const { dataDir } = await seeded();
    const location = { dataDir, databaseUrl: undefined };
    lose(dataDir, name, 'empty');
    const key = readFileSync(join(dataDir, 'master.key'), 'utf8');
    const recoveryFile = Buffer.from(await makeRecoveryFile(Buffer.from(key.trim(), 'hex'), 'a long enough passphrase', Date.now()));
    for (const command of [
      () => backUp(location, newFolder(), {}),
      () => checkLedger(location),
      () => exchangeKey(location),
      () => recoverKey(location, recoveryFile, 'a long enough passphrase'),
      () => seedHistory(location, { transactions: 1, days: 1, seed: 1 }),
    ])
      expect((await failureOf(command())).message).toContain(`The database file ${name} is empty`);
  });
});

test('the service and the command line state the file, the evidence and the steps', async () => {
  const { dataDir } = await seeded();
  lose(dataDir, SERVICE, 'empty');
  await expect(startServerProcess(dataDir)).rejects.toThrow(/paydesk\.sqlite is empty, but .*npx paydesk restore/s);
  for (const command of [['backup', '--to', newFolder()], ['ledger'], ['rotate-key']]) {
    const { status, stderr } = spawnSync(process.execPath, [BUNDLED_COMMAND, ...command, '--data-dir', dataDir], { encoding: 'utf8' });
    expect(status, command[0]).not.toBe(0);
    expect(stderr, command[0]).toMatch(/paydesk\.sqlite is empty, but paydesk\.sqlite\.clean-stop shows that .*npx paydesk restore/s);
  }
});

test.each([
  ['a mark of a clean stop', ['paydesk.sqlite.clean-stop']],
  ['the mark of the other file', ['sandbox-gateway.sqlite.clean-stop']],
  ['the ledger of the sandbox processor', [SANDBOX]],
  ['the key', ['master.key']],
  ["the key's mark", [MARK]],
])('recognizes a lost database by %s alone', async (_, kept) => {
  const { dataDir } = await seeded();
  const folder = newFolder();
  for (const name of kept) copyFileSync(join(dataDir, name), join(folder, name));
  expect((await failureOf(startServer(quiet(folder)))).message).toContain(`The database file ${SERVICE} is missing`);
});

test('recognizes a lost database by a backup alone, and names it in the steps', FULL, async () => {
  const folder = newFolder();
  const name = 'paydesk-2026-11-28.paydesk-backup';
  mkdirSync(join(folder, 'backups'));
  writeFileSync(join(folder, 'backups', name), 'x');
  const error = await failureOf(startServer(quiet(folder)));
  expect(error.instructions).toContain(`npx paydesk restore ${join(folder, 'backups', name)}`);
});

test('refuses an empty data directory with the key of an installation, but not with a key that was never used', async () => {
  const { dataDir } = await seeded();
  const error = await failureOf(startServer({ ...quiet(newFolder()), masterKey: join(dataDir, 'master.key') }));
  expect(error.message).toContain(`${SERVICE} is missing`);
  const unused = join(newFolder(), 'prepared.key');
  writeFileSync(unused, 'ab'.repeat(32), { mode: 0o600 });
  const server = await startServer({ ...quiet(newFolder()), masterKey: unused });
  expect(server.environment).toBe('unset');
  await server.close();
});

test('restores the backup of a lost database beside its key', FULL, async () => {
  const { dataDir } = await seeded();
  const location = { dataDir, databaseUrl: undefined };
  const { file } = await backUp(location, join(dataDir, 'backups'), {});
  const id = idOf(dataDir);
  lose(dataDir, SERVICE, 'empty');
  lose(dataDir, SANDBOX);
  await restoreBackup(location, file, {});
  const server = await startServer(quiet(dataDir));
  expect(server.environment).toBe('sandbox');
  await server.close();
  expect(idOf(dataDir)).toBe(id);
  expect(readFileSync(join(dataDir, `${SERVICE}.clean-stop`), 'utf8')).toBe(id);
});

describe('parts of two installations', () => {
  test.each([
    ['the ledger of the sandbox processor', SANDBOX],
    ['a mark of a clean stop', `${SERVICE}.clean-stop`],
    ['the database', SERVICE],
  ])('are refused with both IDs: %s', async (_, name) => {
    const [one, other] = [await seeded('small'), await seeded('full')];
    copyFileSync(join(other.dataDir, name), join(one.dataDir, name));
    const error = await failureOf(startServer(quiet(one.dataDir)));
    expect(error.name).toBe('MixedInstallation');
    expect(error.message).toContain(idOf(one.dataDir));
    expect(error.message).toContain(idOf(other.dataDir));
    expect(error.message).toContain('Put back the part');
  });

  test('are refused with both IDs: a backup beside the key of another installation, which stays', FULL, async () => {
    const [one, other] = [await seeded('small'), await seeded('full')];
    const { file } = await backUp({ dataDir: other.dataDir, databaseUrl: undefined }, newFolder(), {});
    for (const name of [SERVICE, SANDBOX]) lose(one.dataDir, name);
    const key = readFileSync(join(one.dataDir, 'master.key'), 'utf8');
    const recoveryFile = join(newFolder(), 'recovery.json');
    const foreign = Buffer.from(readFileSync(join(other.dataDir, 'master.key'), 'utf8').trim(), 'hex');
    writeFileSync(recoveryFile, await makeRecoveryFile(foreign, 'a long enough passphrase', Date.now()));
    const source = { file: recoveryFile, passphrase: 'a long enough passphrase' };
    const error = await failureOf(restoreBackup({ dataDir: one.dataDir, databaseUrl: undefined }, file, source));
    expect(error.message).toContain(idOf(one.dataDir));
    expect(error.message).toContain(idOf(other.dataDir));
    expect(readFileSync(join(one.dataDir, 'master.key'), 'utf8')).toBe(key);
  });
});

describe('on PostgreSQL', () => {
  test('an empty database beside the key of an installation is refused, and stays empty', async () => {
    const { dataDir } = await seeded('small', 'postgres');
    const empty = await freshDatabase();
    undo.push(empty.drop);
    const error = await failureOf(startServer({ ...quiet(dataDir), databaseUrl: empty.url }));
    expect(error.name).toBe('LostInstallation');
    expect(error.message).toContain(idOf(dataDir));
    expect(error.message).toContain('Check the address of the database');
    // Without the mark of the key it is a new installation, and the refusal has created nothing.
    rmSync(join(dataDir, MARK));
    const server = await startServer({ ...quiet(dataDir), databaseUrl: empty.url });
    expect(server.environment).toBe('unset');
    await server.close();
  });

  test('a database without the ledger of the sandbox processor is refused', FULL, async () => {
    const { dataDir, url = '' } = await seeded('small', 'postgres');
    const client = await connectWritable(url);
    await client.query('DROP SCHEMA sandbox_gateway CASCADE').finally(() => client.end());
    const error = await failureOf(startServer({ ...quiet(dataDir), databaseUrl: url }));
    expect(error.name).toBe('LostInstallation');
    expect(error.message).toContain('sandbox_gateway');
  });

  test('a database and a key of two installations are refused with both IDs', FULL, async () => {
    const [one, other] = [await seeded('small', 'postgres'), await seeded('full', 'postgres')];
    const error = await failureOf(startServer({ ...quiet(one.dataDir), databaseUrl: other.url }));
    expect(error.message).toContain(idOf(one.dataDir));
    expect(error.message).toContain(idOf(other.dataDir));
  });
});

describe('an interrupted first start', () => {
  /** Starts a server on a data directory and expects the first run. */
  async function expectFirstRun(dataDir: string, databaseUrl?: string): Promise<void> {
    const server = await startServer({ ...quiet(dataDir), databaseUrl });
    const { required } = await expectData(surfaceOf(server.baseUrl, '/api/v1', () => ({})).get<{ required: boolean }>('/setup'));
    await server.close();
    expect(required).toBe(true);
  }

  test('continues after each of its steps', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, SERVICE), '');
    await expectFirstRun(folder);
    // The database is migrated, and has no key yet.
    const migrated = await createEmptyInstallation('sqlite');
    undo.push(migrated.remove);
    const key = join(migrated.dataDir, 'master.key');
    writeFileSync(key, 'cd'.repeat(32), { mode: 0o600 });
    await expectFirstRun(migrated.dataDir);
    // The key is bound to an installation without an account, whose second file does not exist yet.
    for (const name of [SERVICE, SANDBOX]) rmSync(join(migrated.dataDir, `${name}.clean-stop`));
    rmSync(join(migrated.dataDir, SANDBOX));
    expect(existsSync(join(migrated.dataDir, MARK))).toBe(false);
    await expectFirstRun(migrated.dataDir);
  });

  test('continues after a kill while the file was created, when it still had a rollback journal', async () => {
    const [folder, torn] = [newFolder(), newFolder()];
    const handle = new BetterSqlite3(join(folder, SERVICE));
    handle.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE t (a)');
    for (let row = 0; row < 100; row += 1) handle.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(1_000));
    for (const name of [SERVICE, `${SERVICE}-journal`]) copyFileSync(join(folder, name), join(torn, name));
    handle.close();
    await expectFirstRun(torn);
  });

  test.each(['sqlite', 'postgres'] as const)('continues after kill -9 at any moment (%s)', { ...FULL, timeout: 120_000 }, async (kind) => {
    const appearances = [SERVICE, 'master.key', SANDBOX].filter((name) => kind === 'sqlite' || name === 'master.key');
    for (const name of appearances) {
      const folder = newFolder();
      const fresh = kind === 'postgres' ? await freshDatabase() : undefined;
      if (fresh) undo.push(fresh.drop);
      for (let kills = 0; kills < sized(1, 4); kills += 1) {
        const launched = await launchEmptyProcess(folder, fresh?.url);
        await expect.poll(() => existsSync(join(folder, name)), { interval: 1, timeout: 60_000 }).toBe(true);
        await launched.kill();
      }
      await expectFirstRun(folder, fresh?.url);
    }
  });
});
