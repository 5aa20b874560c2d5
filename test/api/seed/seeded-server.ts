import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { checkIntegrity, type Difference } from '#core/books/reporting';
import { type DemoCredentials, type HistoryOptions, type RunningServer, seedHistory } from '#server';
import { freshDatabase } from '../../support/postgres.ts';
import { type Api, apiOf, DATABASES, type DatabaseKind } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';

/** A generated history, and the server that continues it. */
export interface SeededServer {
  readonly kind: DatabaseKind;
  readonly api: Api;
  /** Credentials that the generator returned, and those of the server. */
  readonly generated: DemoCredentials;
  readonly credentials: DemoCredentials;
  /** Location of the server, in which another history can be generated. */
  readonly location: { readonly dataDir: string; readonly databaseUrl?: string };
  /** Differences that the integrity check finds. */
  differences(): Promise<Difference[]>;
  /** Stored rows of the service, or of the ledger of the sandbox processor. */
  rows(sql: string, store?: 'service' | 'gateway'): Promise<Record<string, string | number | null>[]>;
  stop(): Promise<void>;
}

async function open(kind: DatabaseKind, trade: HistoryOptions): Promise<SeededServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-seed-'));
  const postgres = kind === 'postgres' ? await freshDatabase(inject('migrated').template) : undefined;
  const location = { dataDir, ...(postgres ? { databaseUrl: postgres.url } : {}) };
  let server: RunningServer | undefined;
  const stop = async () => {
    await server?.close();
    await postgres?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const generated = await seedHistory(location, trade);
    server = await startServer({ ...location, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    const { baseUrl, credentials = generated } = server;
    const rows: SeededServer['rows'] = async (sql, store = 'service') => {
      if (postgres) {
        const client = new Client({ connectionString: postgres.url, options: store === 'gateway' ? '-c search_path=sandbox_gateway' : '' });
        await client.connect();
        return client
          .query(sql)
          .then((result) => result.rows)
          .finally(() => client.end());
      }
      const handle = new BetterSqlite3(join(dataDir, store === 'gateway' ? 'sandbox-gateway.sqlite' : 'paydesk.sqlite'), {
        readonly: true,
      });
      const found = handle.prepare(sql).all() as Record<string, string | number | null>[];
      handle.close();
      return found;
    };
    return {
      kind,
      generated,
      credentials,
      location,
      stop,
      rows,
      api: apiOf(baseUrl, credentials),
      differences: () => checkIntegrity({ all: async <Row>(sql: string) => (await rows(sql)) as Row[] }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Defines a group of tests on each database with its own history. */
export function describeOnSeededServer(
  name: string,
  tradeOf: (kind: DatabaseKind) => HistoryOptions,
  define: (seeded: () => SeededServer) => void,
): void {
  describe.each(DATABASES)(`${name} (%s)`, (kind) => {
    let opened: SeededServer | undefined;
    beforeAll(async () => {
      opened = await open(kind, tradeOf(kind));
    });
    afterAll(() => opened?.stop());
    define(() => {
      if (opened === undefined) throw new Error('the history is made before the first test; ask for it inside one');
      return opened;
    });
  });
}
