import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, inject, type TestOptions, test } from 'vitest';
import type { DemoCredentials, RunningServer, ServerOptions } from '#server';
import { expectData, type Surface, surfaceOf } from './api-client.ts';
import { DATABASES, type DatabaseKind } from './database-kinds.ts';
import { freshDatabase } from './postgres.ts';
import { copySampleData, type SampleData, sampleTemplate } from './sample-data.ts';
import { startServer } from './start-server.ts';
import { ANY_DATABASE, fullOnPostgres } from './tier.ts';
import { timed } from './timings.ts';
import { RECEIVER_CA_FILE } from './webhook-receiver.ts';

export { type Answer, expectData, expectError, type Surface } from './api-client.ts';

export { DATABASES, type DatabaseKind } from './database-kinds.ts';
export { ANY_DATABASE, FULL, fullOnPostgres, isSiege, sized } from './tier.ts';

/** The surfaces with the credentials of the demo tenant, and the whole address space without credentials. */
export interface Api {
  /** `/api/v1`, signed in as the demo tenant's administrator. */
  readonly admin: Surface;
  /** `/api/v1/public`, with the demo merchant's API key. */
  readonly public: Surface;
  /** `/api/v1/sdk`, with the demo merchant's API key. */
  readonly sdk: Surface;
  /** `/api/v1/public` of the second tenant, whose tier is standard. */
  readonly standard: Surface;
  /** The whole address space, without any credential. */
  readonly bare: Surface;
  /** The password of the user of `admin`, for routes that require it as a confirmation. */
  readonly adminPassword: string;
}

/** Far above the time that a move of the test clock takes on a busy computer. */
const CLOCK_MOVE_MAX_MS = 100_000;

/** A server on a database, created for one test file. */
export interface ApiFixture {
  readonly database: DatabaseKind;
  readonly api: Api;
  readonly baseUrl: string;
  readonly credentials: DemoCredentials;
}

/**
 * Starts a server with the demo tenants on a folder and, for PostgreSQL, its own database. Options for locations or without the demo
 * replace these; `none` is an empty, migrated database without the demo. The caller stops it.
 */
export async function startTestServer(database: DatabaseKind, options: Partial<ServerOptions> = {}, data: SampleData | 'none' = 'full') {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-test-'));
  const isSeeded =
    data !== 'none' && options.demo !== false && !('dataDir' in options || 'databaseUrl' in options || 'masterKey' in options);
  const postgres =
    database === 'postgres'
      ? await freshDatabase(isSeeded ? sampleTemplate(data) : data === 'none' ? inject('migrated').template : undefined)
      : undefined;
  const stopAround = async (server?: RunningServer) => {
    await server?.close();
    await postgres?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    if (data === 'none' && database === 'sqlite') await copyFile(inject('migrated').file, join(dataDir, 'paydesk.sqlite'));
    if (isSeeded) await timed('sample data: copy', () => copySampleData(database, dataDir, data));
    const server = await timed('server: start in the test process', () =>
      startServer({
        dataDir,
        port: 0,
        databaseUrl: postgres?.url,
        demo: data !== 'none',
        logLevel: 'silent',
        sandboxTimeoutMs: 40,
        webhookCa: RECEIVER_CA_FILE,
        // A service ends a move of the test clock after 20 seconds, although jobs may still be due.
        clockMoveMaxMs: CLOCK_MOVE_MAX_MS,
        // Tests of one file share addresses. Tests of the limits replace them.
        messageLimits: { spacingMs: 0, perDestination: 1_000 },
        ...options,
      }),
    );
    return { dataDir, databaseUrl: postgres?.url, server, stop: () => timed('server: stop', () => stopAround(server)) };
  } catch (error) {
    await stopAround();
    throw error;
  }
}

/** The surfaces of a running server. Signs in when the admin surface is first used. */
export function apiOf(baseUrl: string, credentials: DemoCredentials): Api {
  const { tenantId, apiKey, standardTenantId, standardApiKey, adminEmail, adminPassword } = credentials;
  const bare = surfaceOf(baseUrl, '', () => ({}));
  let token: Promise<string> | undefined;
  const signIn = async () => {
    const login = bare.post<{ token: string }>(
      '/api/v1/auth/login',
      { email: adminEmail, password: adminPassword },
      { 'X-Tenant-ID': tenantId },
    );
    return (await expectData(login)).token;
  };
  const asAdmin = async () => {
    token ??= timed('sign-in', signIn);
    return { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${await token}` };
  };
  return {
    admin: surfaceOf(baseUrl, '/api/v1', asAdmin),
    public: surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': tenantId, 'x-api-key': apiKey })),
    sdk: surfaceOf(baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${apiKey}` })),
    standard: surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': standardTenantId, 'x-api-key': standardApiKey })),
    bare,
    adminPassword,
  };
}

// One server per database, sample data and test file.
const shared = new Map<string, { fixture: Promise<ApiFixture>; stop: () => Promise<void> }>();

function sharedFixture(database: DatabaseKind, data: SampleData = 'full'): Promise<ApiFixture> {
  const name = `${database} ${data}`;
  const known = shared.get(name);
  if (known !== undefined) return known.fixture;
  const started = startTestServer(database, {}, data);
  const fixture = started.then(({ server: { baseUrl, credentials } }) => {
    if (credentials === undefined) throw new Error('a server with demo tenants tells their credentials');
    return { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  });
  shared.set(name, { fixture, stop: async () => (await started).stop() });
  return fixture;
}

/** Stops the servers of a test file at its end; the next file starts new ones. */
export async function stopSharedServers(): Promise<void> {
  const servers = [...shared.values()];
  shared.clear();
  await Promise.all(servers.map(({ stop }) => stop()));
}

type Check = (fixture: ApiFixture) => Promise<void>;
/** Defines the tests of a group. `inFull` are the options of a test that `npm test` runs on SQLite only. */
type Define = (fixture: () => ApiFixture, inFull: TestOptions) => void;

/**
 * Defines a test that runs on SQLite and on PostgreSQL: its subject is stored, locked or queried. All tests of a file share one server per
 * database; each creates the records that it needs.
 */
export function onBothDatabases(name: string, check: Check, options?: TestOptions): void {
  testOn(DATABASES, name, check, options);
}

/**
 * Defines a test whose subject does not depend on the database: on SQLite in `npm test`, on both in the full and the siege tier. Otherwise
 * like `onBothDatabases`.
 */
export function onAnyDatabase(name: string, check: Check, options?: TestOptions): void {
  testOn(ANY_DATABASE, name, check, options);
}

/** Defines a group of tests for each database. `fixture()` can be called inside tests and hooks, after the server has started. */
export function describeOnBothDatabases(name: string, define: Define, options?: TestOptions): void {
  describeOn(DATABASES, name, define, 'full', options);
}

/**
 * Defines a group of tests whose subject does not depend on the database: on SQLite in `npm test`, on both in the full and the siege tier.
 * Otherwise like `describeOnBothDatabases`.
 */
export function describeOnAnyDatabase(name: string, define: Define, options?: TestOptions): void {
  describeOn(ANY_DATABASE, name, define, 'full', options);
}

/**
 * Defines a group of tests for each of the databases with the small sample data: for subjects whose cost grows with the data, such as
 * backups and the test clock.
 */
export function describeOnSmallData(name: string, databases: readonly DatabaseKind[], define: Define, options?: TestOptions): void {
  describeOn(databases, name, define, 'small', options);
}

function testOn(databases: readonly DatabaseKind[], name: string, check: Check, options: TestOptions = {}): void {
  test.each(databases)(`${name} (%s)`, options, async (database) => check(await sharedFixture(database)));
}

function describeOn(databases: readonly DatabaseKind[], name: string, define: Define, data: SampleData, options: TestOptions = {}): void {
  describe.each(databases)(`${name} (%s)`, options, (database) => {
    let started: ApiFixture | undefined;
    beforeAll(async () => {
      started = await sharedFixture(database, data);
    });
    define(() => {
      if (started === undefined) throw new Error('The server starts before the first test; call fixture() inside a test or hook.');
      return started;
    }, fullOnPostgres(database));
  });
}
