import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { checkIntegrity, type Difference } from '#core/reporting';
import { type DemoCredentials, type PastTrade, type RunningServer, seedHistory, startServer } from '#server';
import { freshDatabase } from '../../support/postgres.ts';
import { type Api, apiOf, DATABASES, type DatabaseKind } from '../../support/server.ts';

/** A history of some size, and the server that goes on with it. */
export interface Seeded {
  readonly kind: DatabaseKind;
  readonly api: Api;
  /** What the generator told, and what the server tells. */
  readonly told: DemoCredentials;
  readonly credentials: DemoCredentials;
  /** Where it was made, to make another there. */
  readonly place: { readonly dataDir: string; readonly databaseUrl?: string };
  /** Differences in the books. */
  differences(): Promise<Difference[]>;
  /** Rows as they are stored, of the service or of the sandbox's own books. */
  rows(sql: string, of?: 'service' | 'gateway'): Promise<Record<string, string | number | null>[]>;
  stop(): Promise<void>;
}

async function open(kind: DatabaseKind, trade: PastTrade): Promise<Seeded> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-seed-'));
  const postgres = kind === 'postgres' ? await freshDatabase(inject('migrated').template) : undefined;
  const place = { dataDir, ...(postgres ? { databaseUrl: postgres.url } : {}) };
  let server: RunningServer | undefined;
  const stop = async () => {
    await server?.close();
    await postgres?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const told = await seedHistory(place, trade);
    server = await startServer({ ...place, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    const { baseUrl, credentials = told } = server;
    const rows: Seeded['rows'] = async (sql, of = 'service') => {
      if (postgres) {
        const client = new Client({ connectionString: postgres.url, options: of === 'gateway' ? '-c search_path=sandbox_gateway' : '' });
        await client.connect();
        return client
          .query(sql)
          .then((result) => result.rows)
          .finally(() => client.end());
      }
      const handle = new BetterSqlite3(join(dataDir, of === 'gateway' ? 'sandbox-gateway.sqlite' : 'paydesk.sqlite'), { readonly: true });
      const found = handle.prepare(sql).all() as Record<string, string | number | null>[];
      handle.close();
      return found;
    };
    return {
      kind,
      told,
      credentials,
      place,
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

/** A group of tests on each database, with a history of its own. */
export function describeSeeded(name: string, tradeOf: (kind: DatabaseKind) => PastTrade, define: (seeded: () => Seeded) => void): void {
  describe.each(DATABASES)(`${name} (%s)`, (kind) => {
    let opened: Seeded | undefined;
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
