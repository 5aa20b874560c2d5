import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Command } from 'commander';
import { zipSync } from 'fflate';
import { serviceActor } from '#core/kernel';
import { backUp, type DemoCredentials, type RunningServer, restoreBackup, seedHistory, startServer } from '#server';
import { type Composition, compose, inDataDirectory } from '#server/operation';
import { Connection, SETTINGS } from '../../cli/connection.ts';
import { TriggerRun } from '../../cli/triggers/trigger-run.ts';
import type { DatabaseKind } from '../../test/support/database-kinds.ts';
import { openTestDatabaseAt } from '../../test/support/databases.ts';
import { addOldEntries } from '../../test/support/old-entries.ts';
import { type ApiFixture, apiOf, expectData } from '../../test/support/server.ts';
import { DUMP_FILE, examineInstallation, type FixtureFacts, type Place } from '../../test/support/upgrade-fixtures.ts';
import { RECEIVER_CA_FILE, startReceiver } from '../../test/support/webhook-receiver.ts';
import { LIVE_OWNER, operateLive } from './live-account.ts';
import { fillEventBlock } from './past-entries.ts';
import { dumpPostgres } from './postgres-dump.ts';
import { operateSandbox } from './sandbox-operations.ts';

const HISTORY = { transactions: 40, days: 4, seed: 1 };
/** Entries of the year that is archived, and of the year after it, which fill a block of the audit log. */
const ARCHIVED_ENTRIES = 20;
const KEPT_ENTRIES = 2_000;
const ARCHIVED_YEARS_AGO = 4;
/** Files of a data directory that a running server needs only. */
const NOT_KEPT = /\.lock$|-wal$|-shm$|\.log$|^backups\/|^logs\//;

// Backups and archives record the name of the computer.
os.hostname = () => 'fixture';
syncBuiltinESMExports();

/** Makes an installation with rows in every table, and returns its files as an archive. @throws Error that names the empty tables. */
export async function buildInstallation(
  kind: DatabaseKind,
  version: string,
  createDatabase: (name: string) => Promise<string>,
): Promise<{ archive: Uint8Array; facts: FixtureFacts }> {
  const folder = await mkdtemp(join(os.tmpdir(), 'paydesk-upgrade-fixture-'));
  try {
    const placeOf = async (name: string): Promise<Place> => ({
      dataDir: join(folder, name),
      databaseUrl: kind === 'postgres' ? await createDatabase(`fixture_${name}`) : undefined,
    });
    const [seeded, place] = [await placeOf('seeded'), await placeOf('installation')];
    const { tenantId } = await seedHistory(seeded, HISTORY);
    const { file } = await backUp(seeded, join(folder, 'early'), {});
    await mkdir(place.dataDir);
    const key = join(place.dataDir, 'master.key');
    await copyFile(join(seeded.dataDir, 'master.key'), key);
    await restoreBackup(place, file, { file: key });
    await addPast(place, tenantId);
    const credentials = await runSandbox(kind, place);
    const live = await runLive(place);
    await leaveComparison(place, credentials);
    const examined = await examineInstallation(place);
    const empty = Object.entries(examined.tables).flatMap(([table, rows]) => (rows === 0 ? [table] : []));
    if (empty.length > 0) throw new Error(`These tables have no rows on ${kind}: ${empty.join(', ')}. Add an operation that fills them.`);
    const sandbox = {
      tenantId,
      merchantId: credentials.merchantId,
      email: credentials.adminEmail,
      password: credentials.adminPassword,
    };
    return { archive: await pack(place), facts: { version, sandbox, live, ...examined } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds entries of past years to the audit log and the history of events, so that a year can be archived. */
async function addPast(place: Place, tenantId: string): Promise<void> {
  const year = new Date().getUTCFullYear() - ARCHIVED_YEARS_AGO;
  await addOldEntries({ dataDir: place.dataDir, url: place.databaseUrl }, { [year]: ARCHIVED_ENTRIES, [year + 1]: KEPT_ENTRIES }, tenantId);
  const database = await openTestDatabaseAt(place.databaseUrl ?? join(place.dataDir, 'paydesk.sqlite'));
  await fillEventBlock(database, tenantId, year, ARCHIVED_ENTRIES).finally(() => database.close());
}

const serve = (place: Place, demo: boolean): Promise<RunningServer> =>
  startServer({
    ...place,
    port: 0,
    demo,
    logLevel: 'silent',
    sandboxTimeoutMs: 40,
    webhookCa: RECEIVER_CA_FILE,
    messageLimits: { spacingMs: 0, perDestination: 1_000 },
  });

async function runSandbox(database: DatabaseKind, place: Place): Promise<DemoCredentials> {
  const server = await serve(place, true);
  const receiver = await startReceiver();
  try {
    const { baseUrl, credentials } = server;
    if (!credentials) throw new Error('A demo server returns its credentials.');
    const api = apiOf(baseUrl, credentials);
    await expectData(api.admin.post('/system/backup/resume'));
    const fixture: ApiFixture = { database, baseUrl, credentials, api };
    await operateSandbox({ fixture, receiver, triggers: await triggerRun(baseUrl, credentials) });
    return credentials;
  } finally {
    await receiver.stop();
    await server.close();
  }
}

/** Returns the surroundings of the flows of `paydesk trigger`, which read the credentials from the environment. */
async function triggerRun(baseUrl: string, credentials: DemoCredentials): Promise<TriggerRun> {
  const { tenantId, apiKey, adminEmail, adminPassword } = credentials;
  const values = { url: baseUrl, tenantId, apiKey, email: adminEmail, password: adminPassword };
  for (const [name, value] of Object.entries(values)) process.env[SETTINGS[name as keyof typeof values]] = value;
  const connection = new Connection(new Command());
  return new TriggerRun(connection, await connection.asAdministrator(), []);
}

/** Adds a live account, which no demo may have at its start, and runs its operations. */
async function runLive(place: Place): Promise<FixtureFacts['live']> {
  const made = await withoutJobs(place, ({ core }) =>
    core.createTenant({
      name: 'Live',
      environment: 'live',
      tier: 'sandbox',
      merchant: { name: 'Live Shop', currency: 'USD', timezone: 'America/New_York' },
      owner: LIVE_OWNER,
    }),
  );
  const server = await serve(place, false);
  await operateLive(server.baseUrl, made.tenantId, made.merchantId).finally(() => server.close());
  return { ...made, ...LIVE_OWNER };
}

/** Settles a sale without the jobs that would compare the day with the processor, so that the request for the comparison remains. */
async function leaveComparison(place: Place, { tenantId, merchantId }: DemoCredentials): Promise<void> {
  await withoutJobs(place, async ({ core }) => {
    await core.identity.tenants.load();
    const actor = { ...serviceActor(tenantId), merchantId };
    const method = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2039', cvv: '123' } as const;
    await core.payments.createPayment(actor, { type: 'sale', amount: '27.00', method, source: 'keyed' });
    await core.settlement.settle(actor, merchantId);
  });
}

/** Opens the core of an installation that does not run, with its scheduler stopped. */
function withoutJobs<Result>(place: Place, run: (composition: Composition) => Promise<Result>): Promise<Result> {
  return inDataDirectory(place, async (keyStore) => {
    const ports = { renderResponse: () => ({ status: 200, body: '' }), report: () => {}, ownAddress: () => null };
    const composition = await compose(place, ports, keyStore, { starts: false });
    return run(composition).finally(() => composition.close());
  });
}

async function pack({ dataDir, databaseUrl }: Place): Promise<Uint8Array> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(dataDir, path).replaceAll('\\', '/');
    // The configuration has the address of the database that was dumped.
    if (entry.isFile() && !NOT_KEPT.test(name) && name !== 'config.json') files[name] = await readFile(path);
  }
  if (databaseUrl !== undefined) files[DUMP_FILE] = Buffer.from(await dumpPostgres(databaseUrl));
  // One stream for all bytes, because the window of Brotli also finds the columns that indexes repeat.
  return brotliCompressSync(zipSync(files, { level: 0 }), { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } });
}
