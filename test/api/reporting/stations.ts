import { execFile } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { checkIntegrity, type Difference } from '#core/reporting';
import { surfaceOf } from '../../support/api-client.ts';
import { type ApiFixture, apiOf, DATABASES, type DatabaseKind, expectData, startTestServer } from '../../support/server.ts';

const LEDGER = join(import.meta.dirname, '../../../scripts/ledger.ts');

/** Contents of a database before its tests: the small sample data, or one merchant and nothing else, so that its clock moves fast. */
export type Filling = 'small' | 'empty';

/** A server whose database a test can look into, and change behind its back. */
export interface Station {
  readonly on: ApiFixture;
  /** What differs in its books. */
  differences(): Promise<Difference[]>;
  /** What `npm run ledger` says of its database, and its exit code. */
  ledger(): Promise<{ code: number; said: string }>;
  /** Carries SQL out on the database, as no part of the service does; answers its rows, where it has any. */
  tamper<Row = unknown>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** What `npm run ledger` says, and its exit code. */
export function runLedger(args: readonly string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [LEDGER, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr });
    });
  });
}

/** Takes the first run of an empty server, as a person would; the owner has a password and no keys. */
async function setUp(baseUrl: string): Promise<ApiFixture['credentials']> {
  const owner = { email: 'owner@wharf.example', password: 'a long enough password' };
  const body = { ...owner, businessName: 'Wharf', currency: 'USD', timezone: 'UTC', environment: 'sandbox' };
  const { tenantId, merchantId } = await expectData(
    surfaceOf(baseUrl, '/api/v1', () => ({})).post<{ tenantId: string; merchantId: string }>('/setup', body),
  );
  return { tenantId, merchantId, adminEmail: owner.email, adminPassword: owner.password } as ApiFixture['credentials'];
}

async function openStation(kind: DatabaseKind, filling: Filling): Promise<Station> {
  const { dataDir, databaseUrl, server, stop } = await startTestServer(kind, {}, filling === 'small' ? 'small' : 'none');
  const { baseUrl } = server;
  const credentials = server.credentials ?? (await setUp(baseUrl));
  /** A connection that is nobody else's, as long as it is needed. */
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
    on: { database: kind, baseUrl, credentials, api: apiOf(baseUrl, credentials) },
    ledger: () => runLedger(databaseUrl === undefined ? ['--data-dir', dataDir] : ['--database-url', databaseUrl]),
    differences: () => withDatabase((ask) => checkIntegrity({ all: ask })),
    tamper: <Row>(sql: string) => withDatabase((ask) => ask<Row>(sql)),
    stop,
  };
}

/** A group of tests for each database, with a server of its own. */
export function describeStations(name: string, define: (station: () => Station) => void, filling: Filling = 'small'): void {
  describe.each(DATABASES)(`${name} (%s)`, (kind) => {
    let opened: Station | undefined;
    beforeAll(async () => {
      opened = await openStation(kind, filling);
    });
    afterAll(() => opened?.stop());
    define(() => {
      if (opened === undefined) throw new Error('the server starts before the first test; ask for it inside one');
      return opened;
    });
  });
}
