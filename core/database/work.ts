import type { ChainOf, ChainRow } from './chain.ts';
import type { DamagedDatabase } from './integrity/index.ts';
import type { Presence } from './presence.ts';
import type { Query } from './queries.ts';
import type { Replication } from './replication.ts';
import type { CacheChanges, Signals } from './signals.ts';
import type { BulkStatement, FindOptions, GuardedUpdate, Params, Where } from './statements.ts';
import type { Table } from './table.ts';

/** Reads of one tenant, or of the whole installation if `tenantId` is null. Sees committed data only, except inside a Work. */
export interface Read {
  readonly tenantId: string | null;
  /**
   * The same rows, for a statement that may read many of them, such as a count or a sum. On SQLite it runs in another thread if the file is large, so that
   * other requests continue. A Work runs it itself.
   */
  readonly heavy: Read;
  /** Returns the row, or null. A tenant's Read adds `tenant_id`. A null in `where` means IS NULL. */
  one<Row>(table: Table<Row>, where: Where<NoInfer<Row>>): Promise<Row | null>;
  find<Row>(table: Table<Row>, where: Where<NoInfer<Row>>, options?: FindOptions<Row>): Promise<Row[]>;
  /** Returns the rows of a query; `given` has the values of a prepared query. On a tenant's Read the query must name TENANT. */
  rows<Row>(query: Query<Row>, given?: Params): Promise<Row[]>;
  /** Returns the first row of a query, or null. */
  row<Row>(query: Query<Row>, given?: Params): Promise<Row | null>;
  /** Runs hand-written SQL with `:named` parameters. On a tenant's Read it must contain `:tenantId`, which is bound automatically. */
  all<Row>(sql: string, params?: Params): Promise<Row[]>;
}

/**
 * Writes that return nothing: new rows, guarded updates, counters, logs. They may be collected and sent together, at the latest before the next
 * statement of a unit of work, in this order: inserts, guarded updates, bulk statements. Deferred statements, counters and linked logs follow at the
 * end.
 */
export interface Writer {
  /** Inserts a row. If its key exists, UniqueViolation is thrown here or at the next statement. */
  insert<Row>(table: Table<Row>, row: NoInfer<Row>): void;
  /** Updates exactly one row. If its guard is false, everything is rolled back and LostRace is thrown, here or at the next statement. */
  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void;
  /** Runs a bulk statement for one row. */
  apply<Row>(statement: BulkStatement<Row>, row: Row): void;
  /** Adds `delta` to the counter row of that key. Deferred, and summed over all units of work of a commit. */
  count<Row extends { n: number }>(table: Table<Row>, key: Omit<NoInfer<Row>, 'n'>, delta: number): void;
  /** Runs a bulk statement at the end, before the counters and the linked logs. */
  defer<Row>(statement: BulkStatement<Row>, row: Row): void;
  /** Adds a row to a linked log, after all other writes. */
  append<Row extends ChainRow>(chain: ChainOf<Row>, row: Row): void;
  /** Calls the function after the commit. */
  afterCommit(call: () => void): void;
}

/**
 * One unit of work: all of it is committed, or nothing. It contains database calls only, no network calls and no timers, and has no effect outside
 * of the database, because it may run again after a deadlock.
 */
export interface Work extends Read, Writer {
  /** Same as `one()`, but locks the row until the end of the unit of work. Lock the parent before its children. */
  lockOne<Row>(table: Table<Row>, where: Where<NoInfer<Row>>): Promise<Row | null>;
  /** Returns the number of changed rows. */
  update<Row>(table: Table<Row>, where: Where<NoInfer<Row>>, set: Where<NoInfer<Row>>): Promise<number>;
  delete<Row>(table: Table<Row>, where: Where<NoInfer<Row>>): Promise<number>;
  /** Runs an update, a deletion or an insertion. Returns the number of changed rows. */
  execute(query: Query<unknown>, given?: Params): Promise<number>;
  run(sql: string, params?: Params): Promise<number>;
  /** Takes a lock by name until the end of the unit of work. Units of work on all servers that take the same lock run one after another. */
  advisoryLock(name: string): Promise<void>;
}

/** The only way to change data. Promises resolve after COMMIT. */
export interface UnitOfWork {
  /** Runs a unit of work for a tenant; `null` for work of no tenant or of several (setup, start-up jobs). */
  transaction<Result>(tenantId: string | null, work: (work: Work) => Promise<Result>): Promise<Result>;
  /**
   * Commits writes without reading anything. The writes of many callers share one transaction, on PostgreSQL as one bulk statement per table.
   * `fill` is synchronous.
   */
  writeBatch(tenantId: string, fill: (writer: Writer) => void): Promise<void>;
}

/** Size, clients and time of a database. */
export interface DatabaseStatus {
  readonly bytes: number;
  /** Number of servers connected to it, including this one. */
  readonly servers: number;
  /** Current time of the database server, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Records of a tenant that wait for something: their number, and the creation time of the oldest in the tenant's time (ISO 8601). */
export interface WaitingOfTenant {
  readonly tenant_id: string;
  readonly n: number;
  readonly oldest: string;
}

/** Faults that prevent writes to a database, known without a query. */
interface DatabaseHealth {
  /** The damaged SQLite file; null on PostgreSQL. */
  readonly damage: DamagedDatabase | null;
  /** True if the last write failed because the disk of the database is full. */
  readonly isDiskFull: boolean;
}

/** An open database, SQLite or PostgreSQL. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** SQL for the time of the database in milliseconds, which servers with different clocks share. */
  readonly nowSql: string;
  readonly unitOfWork: UnitOfWork;
  /** Messages between the servers of one database; none on SQLite. */
  readonly signals: Signals;
  /** Changes of cached rows among the processes of this server; absent if it has one process. */
  readonly cacheChanges?: CacheChanges;
  /** Presence of this server among the servers of the database; none on SQLite. */
  readonly presence: Presence;
  read(tenantId: string): Read;
  /** Returns a Read over all tenants, for sign-in, API key lookup and start-up jobs. */
  readAcrossTenants(): Read;
  /**
   * Removes the bytes of deleted rows from the files as soon as no transaction is open. SQLite overwrites them. PostgreSQL keeps old row
   * versions until VACUUM and the recycling of its log, which the operator controls.
   */
  purgeDeletedRows(): Promise<void>;
  /**
   * Announces that a client has connected. Node accepts one connection in each turn of the event loop, and SQLite commits within a turn: if commits did
   * not wait for clients that connect together, the last of them would wait for seconds.
   */
  expectWrites(): void;
  /** Returns the size of the database, the number of connected servers and its time. */
  status(): Promise<DatabaseStatus>;
  /** Returns the state of streaming replication; null on SQLite. */
  replication(): Promise<Replication | null>;
  health(): DatabaseHealth;
  /** Returns the number of writes and reads that wait for the writer of SQLite, or for a connection to PostgreSQL. */
  waiting(): number;
  /** @throws ServiceError SERVICE_UNAVAILABLE if the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
