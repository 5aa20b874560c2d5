import { execFile } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, type TestOptions } from 'vitest';
import { checkIntegrity, type Difference } from '#core/books/reporting';
import { surfaceOf } from '../../support/api-client.ts';
import { BUNDLED_COMMAND } from '../../support/process.ts';
import { type ApiFixture, apiOf, DATABASES, type DatabaseKind, expectData, fullOnPostgres, startTestServer } from '../../support/server.ts';
import { storedData } from '../../support/stored-data.ts';

/** Contents of a database before its tests: the small sample data, or only one merchant, so that its clock moves fast. */
type DatabaseContents = 'small' | 'empty';

/** A server whose database a test can read, and change without the server. */
export interface LedgerServer {
  readonly service: ApiFixture;
  /** Returns the differences that the integrity check finds. */
  differences(): Promise<Difference[]>;
  /** Returns the output of `paydesk ledger` for its database, and the exit code. */
  ledger(): Promise<{ code: number; output: string }>;
  /** Runs SQL on the database outside of the service; returns its rows, if any. */
  runSql<Row = unknown>(sql: string): Promise<Row[]>;
  /** Returns everything that is stored, as text. */
  stored(): Promise<string>;
  stop(): Promise<void>;
}

/** Returns the output of `paydesk ledger` and its exit code. */
export function runLedger(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BUNDLED_COMMAND, 'ledger', ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

/** Completes the first run of an empty server; the owner has a password and no keys. */
async function setUp(baseUrl: string): Promise<ApiFixture['credentials']> {
  const owner = { email: 'owner@wharf.example', password: 'a long enough password' };
  const body = { ...owner, businessName: 'Wharf', currency: 'USD', timezone: 'UTC', environment: 'sandbox' };
  const { tenantId, merchantId } = await expectData(
    surfaceOf(baseUrl, '/api/v1', () => ({})).post<{ tenantId: string; merchantId: string }>('/setup', body),
  );
  return { tenantId, merchantId, adminEmail: owner.email, adminPassword: owner.password } as ApiFixture['credentials'];
}

async function openLedgerServer(kind: DatabaseKind, contents: DatabaseContents): Promise<LedgerServer> {
  const { dataDir, databaseUrl, server, stop } = await startTestServer(kind, {}, contents === 'small' ? 'small' : 'none');
  const { baseUrl } = server;
  const credentials = server.credentials ?? (await setUp(baseUrl));
  /** Opens a separate connection for the duration of a function. */
  async function withDatabase<Result>(use: (ask: <Row>(sql: string) => Promise<Row[]>) => Promise<Result>): Promise<Result> {
    if (databaseUrl !== undefined) {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      return use(async <Row>(sql: string) => (await client.query(sql)).rows as Row[]).finally(() => client.end());
    }
    const handle = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'), { timeout: 5_000 });
    const ask = async <Row>(sql: string) => {
      const statement = handle.prepare(sql);
      if (statement.reader) return statement.all() as Row[];
      statement.run();
      return [];
    };
    return use(ask).finally(() => handle.close());
  }
  return {
    service: { database: kind, baseUrl, credentials, api: apiOf(baseUrl, credentials) },
    ledger: () => runLedger(databaseUrl === undefined ? ['--data-dir', dataDir] : ['--database-url', databaseUrl]),
    differences: () => withDatabase((ask) => checkIntegrity({ all: ask })),
    runSql: <Row>(sql: string) => withDatabase((ask) => ask<Row>(sql)),
    stored: () => storedData(dataDir, databaseUrl),
    stop,
  };
}

/** Defines a group of tests for each of the databases with its own server; `inFull` as in `describeOnBothDatabases`. */
export function describeWithLedger(
  name: string,
  define: (ledgerServer: () => LedgerServer, inFull: TestOptions) => void,
  contents: DatabaseContents = 'small',
  databases: readonly DatabaseKind[] = DATABASES,
): void {
  describe.each(databases)(`${name} (%s)`, (kind) => {
    let opened: LedgerServer | undefined;
    beforeAll(async () => {
      opened = await openLedgerServer(kind, contents);
    });
    afterAll(() => opened?.stop());
    define(() => {
      if (opened === undefined) throw new Error('the server starts before the first test; ask for it inside one');
      return opened;
    }, fullOnPostgres(kind));
  });
}
