import { randomUUID } from 'node:crypto';
import pg, { type ClientBase, type Pool, type PoolClient } from 'pg';
import { assert } from '#core/kernel';
import { hostsOf, readingConfig, requireWritable, writableConfig } from './connections/index.ts';
import { fromPostgres, isConnectionLost, isDiskFull, isPostgresRetry, NotReplicated, unavailable, unconfirmedCommit } from './errors.ts';
import { admit, appliedMigrations, prepareSchema, withClient } from './postgres-schema.ts';
import { keyLookUpsOn, PostgresBatch, PostgresRead, PostgresWork, writeBatches } from './postgres-session.ts';
import { PostgresPresence } from './presence.ts';
import { readReplication } from './replication.ts';
import { PostgresSignals } from './signals.ts';
import { type Migration, NewerSchema, pendingMigrations } from './versions.ts';
import type { Database, DatabaseStatus, Read, UnitOfWork, Work, Writer } from './work.ts';

const WRITE_CONNECTIONS = 8;
const READ_CONNECTIONS = 6;
/** Smallest pools of a process: groups of writes that are in flight, and units of work beside them. */
const WRITE_CONNECTIONS_MIN = 4;
const READ_CONNECTIONS_MIN = 2;
const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than the time-out of the database server, for a response that the network lost. */
const ANSWER_TIMEOUT_MS = 35_000;
const PING_WITHIN_MS = 2_000;
/** Beginning of the application name of the listening connections of each server, by which servers are counted. */
const LISTENER_NAME = 'paydesk-station';
const STATUS_SQL = `SELECT pg_database_size(current_database()) AS bytes, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS "nowMs",
  (SELECT count(DISTINCT application_name) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE :name) AS servers`;
const RETRIES_MAX = 3;
const GROUP_SIZE_MAX = 256;
const GROUPS_IN_FLIGHT = 2;
/** Groups in flight on a distributed database, where each group belongs to one tenant. */
const TENANT_GROUPS_IN_FLIGHT = 6;
/** True if the tables of a database may be distributed over several nodes (docs/citus.md). */
const IS_DISTRIBUTED_SQL = `SELECT EXISTS (SELECT 1 FROM pg_class WHERE relname = 'citus_tables') AS "isDistributed"`;

interface PostgresOptions {
  readonly url: string;
  /** Schema of the tables, created if it is missing; `public` by default. */
  readonly schema?: string;
  readonly migrations: readonly Migration[];
  /** Number of processes among which the connections of the server are divided; 1 by default. */
  readonly processes?: number;
  /** Identifies the server, which may have several processes; a random name by default. */
  readonly serverName?: string;
}

/** 64-bit integers are amounts and counts of Paydesk, which are all safe integers. */
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  assert(Number.isSafeInteger(value), 'a stored integer is safe');
  return value;
});

interface QueuedBatch {
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
  let isCommitting = false;
  try {
    await client.query('BEGIN');
    const result = await body(client);
    isCommitting = true;
    await commit(client);
    return result;
  } catch (error) {
    if (isConnectionLost(error)) {
      broken ??= error as Error;
      throw isCommitting ? unconfirmedCommit(error) : error;
    }
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken ??= rollbackError;
    });
    throw error;
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
}

/** Commits. @throws NotReplicated if PostgreSQL stopped waiting for the synchronous standby, for example because the statement was canceled. */
async function commit(client: PoolClient): Promise<void> {
  let warning: string | undefined;
  const onNotice = ({ routine, message = '' }: { routine?: string | undefined; message?: string | undefined }) => {
    // The text of a warning depends on `lc_messages`. The routine does not.
    if (routine === 'SyncRepWaitForLSN' || /canceling (the )?wait for synchronous replication/.test(message)) warning = message;
  };
  client.on('notice', onNotice);
  try {
    await client.query('COMMIT');
  } finally {
    client.removeListener('notice', onNotice);
  }
  if (warning !== undefined) throw new NotReplicated(warning);
}

/**
 * Units of work as transactions with row locks. The batches of many callers are committed together; on a distributed database only those of one
 * tenant, so that a commit concerns one node.
 */
class PostgresUnitOfWork implements UnitOfWork {
  readonly #pool: Pool;
  readonly #isDistributed: boolean;
  #queue: QueuedBatch[] = [];
  #groups = 0;
  #scheduled = false;
  /** True after a write found the disk full, until a write succeeds. */
  isDiskFull = false;

  constructor(pool: Pool, isDistributed: boolean) {
    this.#pool = pool;
    this.#isDistributed = isDistributed;
  }

  /** Number of batches that wait for a group. */
  get waiting(): number {
    return this.#queue.length;
  }

  async transaction<Result>(tenantId: string | null, work: (work: Work) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const done = await this.#transaction(async (client) => {
          const unit = new PostgresWork(client, tenantId);
          const result = await work(unit);
          await unit.finish();
          return { result, callbacks: unit.afterCommitCallbacks };
        });
        for (const callback of done.callbacks) callback();
        return done.result;
      } catch (error) {
        if (!isPostgresRetry(error) || attempt > RETRIES_MAX) throw fromPostgres(error);
      }
    }
  }

  async #transaction<Result>(body: (client: PoolClient) => Promise<Result>): Promise<Result> {
    try {
      const result = await inTransaction(this.#pool, body);
      this.isDiskFull = false;
      return result;
    } catch (error) {
      this.isDiskFull ||= isDiskFull(error);
      throw error;
    }
  }

  writeBatch(tenantId: string, fill: (batch: Writer) => void): Promise<void> {
    const batch = new PostgresBatch(tenantId);
    fill(batch);
    return new Promise<void>((resolve, reject) => {
      this.#queue.push({ batch, resolve, reject });
      this.#schedule();
    }).then(() => {
      for (const callback of batch.afterCommitCallbacks) callback();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#groups >= (this.#isDistributed ? TENANT_GROUPS_IN_FLIGHT : GROUPS_IN_FLIGHT)) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const group = this.#takeGroup();
      if (group.length === 0) return;
      this.#groups += 1;
      void this.#commit(group).finally(() => {
        this.#groups -= 1;
        if (this.#queue.length > 0) this.#schedule();
      });
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  #takeGroup(): QueuedBatch[] {
    if (!this.#isDistributed) return this.#queue.splice(0, GROUP_SIZE_MAX);
    const tenantId = this.#queue[0]?.batch.tenantId;
    const group = this.#queue.filter(({ batch }) => batch.tenantId === tenantId).slice(0, GROUP_SIZE_MAX);
    const taken = new Set(group);
    this.#queue = this.#queue.filter((waiting) => !taken.has(waiting));
    return group;
  }

  async #commit(group: QueuedBatch[]): Promise<void> {
    try {
      await this.#write(group);
    } catch (error) {
      const [first] = group;
      if (group.length === 1 && first) return first.reject(fromPostgres(error));
      // Retrying one by one does not help while the database is away, and a commit whose outcome is unknown must not be repeated.
      if (isConnectionLost(error)) {
        for (const waiting of group) waiting.reject(fromPostgres(error));
        return;
      }
      // One batch failed the transaction of all. Each is written alone, so that only the faulty one fails.
      await Promise.all(group.map((waiting) => this.#write([waiting]).catch((alone: unknown) => waiting.reject(fromPostgres(alone)))));
    }
  }

  async #write(group: QueuedBatch[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#transaction((client) =>
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

const shareOf = (connections: number, processes: number, min: number) => Math.max(min, Math.ceil(connections / processes));

/** Schema version of a database, compared with this program. */
type SchemaState = 'none' | 'older' | 'same' | 'newer';

/** Inspects a database in a read-only transaction before it is used. */
export async function inspectPostgres<Result>(
  { url, schema = 'public', migrations }: Pick<PostgresOptions, 'url' | 'schema' | 'migrations'>,
  inspect: (state: SchemaState, all: <Row>(sql: string) => Promise<Row[]>) => Promise<Result>,
): Promise<Result> {
  const config = { ...readingConfig(url), connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS };
  return withClient({ ...config, options: `-c search_path=${schema} -c statement_timeout=${STATEMENT_TIMEOUT_MS}` }, async (client) => {
    await client.query('BEGIN READ ONLY');
    const applied = await appliedMigrations(client, schema);
    return inspect(stateOf(applied, migrations), async <Row>(sql: string) => (await client.query(sql)).rows as Row[]);
  });
}

function stateOf(applied: readonly string[] | null, migrations: readonly Migration[]): SchemaState {
  if (applied === null) return 'none';
  try {
    return pendingMigrations(migrations, applied).length > 0 ? 'older' : 'same';
  } catch (error) {
    if (error instanceof NewerSchema) return 'newer';
    throw error;
  }
}

/**
 * Keep-alive settings that free the locks of a workstation without power within a minute or two, instead of the default of the operating
 * system.
 */
const LOST_CLIENT_SETTINGS =
  '-c idle_in_transaction_session_timeout=60000 -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';

/** Rejects with SERVICE_UNAVAILABLE if the promise takes longer than a time limit. */
async function within<Result>(ms: number, operation: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeLimit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`no response within ${ms} ms`))), ms);
  });
  return Promise.race([operation, timeLimit]).finally(() => clearTimeout(timer));
}

/** Checks that the database answers and accepts changes. A connection to a read-only server is closed. */
async function pingWritable(pool: Pool): Promise<void> {
  try {
    const client = await pool.connect();
    const failure = await requireWritable(client).then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failure);
    if (failure) throw failure;
  } catch (error) {
    throw fromPostgres(error);
  }
}

/** Returns true if the tables may be distributed. Closes the pool if the first connection fails. */
async function findDistribution(pool: Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ isDistributed: boolean }>(IS_DISTRIBUTED_SQL);
    return rows[0]?.isDistributed ?? false;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * Opens and migrates a PostgreSQL database, which several servers may share. @throws NewerSchema or OlderServersRunning if their versions do not
 * match.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, migrations, schema = 'public', processes = 1, serverName = randomUUID() } = options;
  assert(/^[a-z_]+$/.test(schema), 'the schema name has lower-case letters and underscores only');
  const server = writableConfig(url);
  await prepareSchema({ server, schema, migrations, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const admitted = (client: ClientBase) => admit(client, schema, migrations);
  const shared = {
    ...server,
    options: `${server.options ?? ''} -c search_path=${schema} -c lock_timeout=${LOCK_TIMEOUT_MS} -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c synchronous_commit=on ${LOST_CLIENT_SETTINGS}`,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    verify: (client: PoolClient, done: (error?: Error) => void) => {
      void admitted(client).then(() => done(), done);
    },
  };
  const config = { ...shared, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  // Statements that depend on no answer are sent without waiting for those before them.
  const writers = new pg.Pool({ ...config, pipeline: true, max: shareOf(WRITE_CONNECTIONS, processes, WRITE_CONNECTIONS_MIN) });
  const readers = new pg.Pool({ ...config, max: shareOf(READ_CONNECTIONS, processes, READ_CONNECTIONS_MIN) });
  // Without a listener a lost idle connection would end the process.
  for (const pool of [writers, readers]) pool.on('error', () => {});
  const isDistributed = await findDistribution(writers);
  const signals = new PostgresSignals({
    config: { ...config, application_name: `${LISTENER_NAME} ${serverName}` },
    admit: admitted,
    query: (sql, values) => readers.query(sql, values),
  });
  const presence = new PostgresPresence({ config, admit: admitted });
  const lookUps = keyLookUpsOn(readers);
  const read = (tenantId: string | null): Read => new PostgresRead(readers, lookUps, tenantId);
  const unitOfWork = new PostgresUnitOfWork(writers, isDistributed);
  return {
    kind: 'postgres',
    // Not clock_timestamp(), which is volatile: Citus rejects volatile functions in updates of distributed tables (docs/citus.md).
    nowSql: 'CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)',
    unitOfWork,
    signals,
    presence,
    read,
    readAcrossTenants: () => read(null),
    purgeDeletedRows: async () => {},
    expectWrites: () => {},
    waiting: () => unitOfWork.waiting + writers.waitingCount + readers.waitingCount,
    health: () => ({ damage: null, isDiskFull: unitOfWork.isDiskFull }),
    status: async () => {
      const [found] = await read(null).all<DatabaseStatus>(STATUS_SQL, { name: `${LISTENER_NAME}%` });
      assert(found, 'a statement without a table returns one row');
      // The connection that announces this one may be reconnecting.
      return { ...found, servers: Math.max(1, found.servers) };
    },
    replication: () => readReplication(read(null), hostsOf(url).length),
    ping: () => within(PING_WITHIN_MS, pingWritable(readers)),
    close: async () => {
      signals.close();
      await presence.stop();
      await readers.end();
      await writers.end();
    },
  };
}
