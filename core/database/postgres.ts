import pg, { type Pool, type PoolClient } from 'pg';
import { DataSource, type EntitySchema, type MigrationInterface } from 'typeorm';
import { assert } from '#core/kernel';
import { fromPostgres, isPostgresRetry } from './errors.ts';
import { PostgresBatch, PostgresRead, PostgresWork, writeBatches, writeLate } from './postgres-session.ts';
import type { Batch, Database, Read, UnitOfWork, Work } from './work.ts';

const WRITE_CONNECTIONS = 8;
const READ_CONNECTIONS = 6;
const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const RETRIES_MAX = 3;
const GROUP_SIZE_MAX = 256;
const GROUPS_IN_FLIGHT = 2;
/** Any number that no other program takes: servers that start together on one database migrate one after the other. */
const MIGRATION_LOCK = 7_290_551;

export interface PostgresOptions {
  readonly url: string;
  /** The schema to keep the tables in; made when missing. */
  readonly schema?: string;
  readonly entities: readonly EntitySchema[];
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** 64-bit integers are amounts and counts of ours: all are safe integers. */
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  assert(Number.isSafeInteger(value), 'a stored integer is safe');
  return value;
});

interface Waiting {
  readonly batch: PostgresBatch;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

async function inTransaction<Result>(pool: Pool, body: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await body(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken ??= rollbackError;
    });
    throw error;
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
}

/** Real transactions with row locks; batches of many callers go together. */
class PostgresUnitOfWork implements UnitOfWork {
  readonly #pool: Pool;
  #queue: Waiting[] = [];
  #groups = 0;
  #scheduled = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async run<Result>(tenantId: string | null, work: (work: Work) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const done = await inTransaction(this.#pool, async (client) => {
          const unit = new PostgresWork(client, tenantId);
          const result = await work(unit);
          await unit.flush();
          await writeLate(client, unit.late);
          return { result, told: unit.told };
        });
        for (const tell of done.told) tell();
        return done.result;
      } catch (error) {
        if (!isPostgresRetry(error) || attempt > RETRIES_MAX) throw fromPostgres(error);
      }
    }
  }

  record(tenantId: string, fill: (batch: Batch) => void): Promise<void> {
    const batch = new PostgresBatch(tenantId);
    fill(batch);
    return new Promise<void>((resolve, reject) => {
      this.#queue.push({ batch, resolve, reject });
      this.#schedule();
    }).then(() => {
      for (const tell of batch.told) tell();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#groups >= GROUPS_IN_FLIGHT) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const group = this.#queue.splice(0, GROUP_SIZE_MAX);
      if (group.length === 0) return;
      this.#groups += 1;
      void this.#commit(group).finally(() => {
        this.#groups -= 1;
        if (this.#queue.length > 0) this.#schedule();
      });
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  async #commit(group: Waiting[]): Promise<void> {
    try {
      await this.#write(group);
    } catch (error) {
      const [first] = group;
      if (group.length === 1 && first) return first.reject(fromPostgres(error));
      // One batch spoiled the transaction of all: each goes alone, and only the guilty one fails.
      await Promise.all(group.map((waiting) => this.#write([waiting]).catch((alone: unknown) => waiting.reject(fromPostgres(alone)))));
    }
  }

  async #write(group: Waiting[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await inTransaction(this.#pool, (client) =>
          writeBatches(
            client,
            group.map((waiting) => waiting.batch),
          ),
        );
        for (const waiting of group) waiting.resolve();
        return;
      } catch (error) {
        if (!isPostgresRetry(error) || attempt > RETRIES_MAX) throw error;
      }
    }
  }
}

async function migrate(source: DataSource, pool: Pool, schema: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    client.release();
  }
}

/** Opens (and migrates) a PostgreSQL database, which several servers may share. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const schema = options.schema ?? 'public';
  assert(/^[a-z_]+$/.test(schema), 'the schema name is plain');
  const session = `-c search_path=${schema} -c lock_timeout=${LOCK_TIMEOUT_MS} -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c synchronous_commit=on`;
  const source = new DataSource({
    type: 'postgres',
    url: options.url,
    schema,
    entities: [...options.entities],
    migrations: [...options.migrations],
    migrationsTableName: 'schema_migrations',
    installExtensions: false,
    poolSize: WRITE_CONNECTIONS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: { options: session },
  });
  await source.initialize();
  const writers = (source.driver as unknown as { master: Pool }).master;
  const readers = new pg.Pool({
    connectionString: options.url,
    max: READ_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: session,
  });
  // Without a listener a lost idle connection would end the process.
  readers.on('error', () => {});
  try {
    await migrate(source, writers, schema);
  } catch (error) {
    await readers.end();
    await source.destroy();
    throw error;
  }
  const read = (tenantId: string | null): Read => new PostgresRead(readers, tenantId);
  return {
    kind: 'postgres',
    nowSql: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    unitOfWork: new PostgresUnitOfWork(writers),
    read,
    readAcrossTenants: () => read(null),
    scrub: async () => {},
    ping: async () => void (await read(null).all('SELECT 1 AS one')),
    close: async () => {
      await readers.end();
      await source.destroy();
    },
  };
}
