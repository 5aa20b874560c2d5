import { execFile } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { compareBooks, type Difference } from '#core/reporting';
import { freshDatabase } from '../../support/postgres.ts';
import { type ApiFixture, apiOf, DATABASES, type DatabaseKind, startTestServer } from '../../support/server.ts';

const LEDGER = join(import.meta.dirname, '../../../scripts/ledger.ts');

/** A server whose database a test can look into, and change behind its back. */
export interface Station {
  readonly on: ApiFixture;
  /** What differs in its books. */
  differences(): Promise<Difference[]>;
  /** What `npm run ledger` says of its database, and its exit code. */
  ledger(): Promise<{ code: number; said: string }>;
  /** Carries SQL out on the database, as no part of the service does. */
  tamper(sql: string): Promise<void>;
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

async function openStation(kind: DatabaseKind): Promise<Station> {
  const postgres = kind === 'postgres' ? await freshDatabase() : undefined;
  const { dataDir, server, stop } = await startTestServer('sqlite', postgres ? { databaseUrl: postgres.url } : {});
  const { credentials, baseUrl } = server;
  if (credentials === undefined) throw new Error('a server with demo tenants tells their credentials');
  /** A connection that is nobody else's, as long as it is needed. */
  async function withDatabase<Result>(use: (ask: <Row>(sql: string) => Promise<Row[]>) => Promise<Result>): Promise<Result> {
    if (postgres) {
      const client = new Client({ connectionString: postgres.url });
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
    ledger: () => runLedger(postgres ? ['--database-url', postgres.url] : ['--data-dir', dataDir]),
    differences: () => withDatabase((ask) => compareBooks({ all: ask })),
    tamper: (sql) => withDatabase(async (ask) => void (await ask(sql))),
    async stop() {
      await stop();
      await postgres?.drop();
    },
  };
}

/** A group of tests for each database, with a server of its own. */
export function describeStations(name: string, define: (station: () => Station) => void): void {
  describe.each(DATABASES)(`${name} (%s)`, (kind) => {
    let opened: Station | undefined;
    beforeAll(async () => {
      opened = await openStation(kind);
    });
    afterAll(() => opened?.stop());
    define(() => {
      if (opened === undefined) throw new Error('the server starts before the first test; ask for it inside one');
      return opened;
    });
  });
}
