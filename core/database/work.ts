import type { DamagedDatabase } from '#core/platform/integrity';
import type { Chain, ChainRow } from './chain.ts';
import type { Presence } from './presence.ts';
import type { Query } from './queries.ts';
import type { Signals } from './signals.ts';
import type { FindOptions, GuardedUpdate, Params, SetStatement, Where } from './statements.ts';
import type { Table } from './table.ts';

/** Reads of one tenant (or, where `tenantId` is null, of the whole installation). Never sees what is not committed, except inside a Work. */
export interface Read {
  readonly tenantId: string | null;
  /** Returns the row, or null. A tenant's Read adds `tenant_id`. A null in `where` means IS NULL. */
  one<Row>(table: Table<Row>, where: Where<NoInfer<Row>>): Promise<Row | null>;
  find<Row>(table: Table<Row>, where: Where<NoInfer<Row>>, options?: FindOptions<Row>): Promise<Row[]>;
  /** Returns the rows of a query, with what a prepared one is given. On a tenant's Read the query must name TENANT. */
  rows<Row>(query: Query<Row>, given?: Params): Promise<Row[]>;
  /** Returns the first row of a query, or null. */
  row<Row>(query: Query<Row>, given?: Params): Promise<Row | null>;
  /** Runs hand-written SQL with `:named` parameters. On a tenant's Read it must contain `:tenantId`, which is bound automatically. */
  all<Row>(sql: string, params?: Params): Promise<Row[]>;
}

/**
 * Writes without an answer: new rows, guarded updates, counters, logs. They may be carried out together with later ones, at the latest by the next
 * statement of a unit of work, in this order: inserts, guarded updates, set statements, and at the end deferred statements, counters and linked logs.
 */
export interface Writer {
  /** Inserts a row. A key that is taken shows as UniqueViolation here or at the next statement. */
  insert<Row>(table: Table<Row>, row: NoInfer<Row>): void;
  /** Updates exactly one row. If its guard does not hold, everything is undone and LostRace thrown, here or at the next statement. */
  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void;
  /** Carries a set statement out for one row. */
  apply<Row>(statement: SetStatement<Row>, row: Row): void;
  /** Adds `delta` to the counter row of that key. Written late, summed over all works of a commit. */
  count<Row extends { n: number }>(table: Table<Row>, key: Omit<NoInfer<Row>, 'n'>, delta: number): void;
  /** Carries a set statement out at the end, before the counters and the linked logs. */
  defer<Row>(statement: SetStatement<Row>, row: Row): void;
  /** Adds a row to a linked log, after everything else. */
  append<Row extends ChainRow>(chain: Chain<Row>, row: Row): void;
  /** Calls the function after the commit. */
  afterCommit(call: () => void): void;
}

/**
 * One unit of work: all of it is committed, or none. Database calls only, no network and no timers; it may be run again after a
 * deadlock, so it has no effect elsewhere.
 */
export interface Work extends Read, Writer {
  /** Same as `one()`, but locks the row until the end of the unit of work. Lock the parent before its children. */
  lockOne<Row>(table: Table<Row>, where: Where<NoInfer<Row>>): Promise<Row | null>;
  /** Returns the number of changed rows. */
  update<Row>(table: Table<Row>, where: Where<NoInfer<Row>>, set: Where<NoInfer<Row>>): Promise<number>;
  delete<Row>(table: Table<Row>, where: Where<NoInfer<Row>>): Promise<number>;
  /** Carries an update, a deletion or an insertion out. Returns the number of rows changed. */
  change(query: Query<unknown>, given?: Params): Promise<number>;
  run(sql: string, params?: Params): Promise<number>;
  /** Waits for every other work, of any server, that has the same name, and keeps them waiting until this one is committed. */
  advisoryLock(name: string): Promise<void>;
}

/** The only way to change anything. Callers are answered after COMMIT. */
export interface UnitOfWork {
  /** Runs the work for a tenant; null for what belongs to none or to several (set-up, start-up jobs). */
  run<Result>(tenantId: string | null, work: (work: Work) => Promise<Result>): Promise<Result>;
  /**
   * Records writes without reading anything. The writes of many callers go in one transaction, on PostgreSQL as one set-based statement per table.
   * `fill` is synchronous.
   */
  record(tenantId: string, fill: (writer: Writer) => void): Promise<void>;
}

/** Size, clients and time of a database. */
export interface DatabaseStatus {
  readonly bytes: number;
  /** Servers that work on it now, this one among them. */
  readonly stations: number;
  /** Current time of the database server, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Faults of a database that keep it from being written, known without asking it. */
export interface DatabaseHealth {
  /** The damaged SQLite file; null on PostgreSQL. */
  readonly damage: DamagedDatabase | null;
  /** The last write failed because the disk of the database has no room. */
  readonly isDiskFull: boolean;
}

/** An open database, SQLite or PostgreSQL. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** SQL for the time of the database in milliseconds, which servers with different clocks share. */
  readonly nowSql: string;
  readonly unitOfWork: UnitOfWork;
  /** Between the servers of one database; silent on SQLite. */
  readonly signals: Signals;
  /** Presence of this server among the servers of the database; none on SQLite. */
  readonly presence: Presence;
  read(tenantId: string): Read;
  /** Returns a Read over all tenants, for sign-in, key look-up and jobs at start-up. */
  readAcrossTenants(): Read;
  /**
   * Removes the bytes of deleted rows from the files as soon as no transaction is open. SQLite overwrites them. PostgreSQL keeps old row
   * versions until VACUUM and the recycling of its log, which are up to the operator.
   */
  purgeDeletedRows(): Promise<void>;
  /** Returns the size of the database, the number of connected servers and its time. */
  status(): Promise<DatabaseStatus>;
  health(): DatabaseHealth;
  /** Throws SERVICE_UNAVAILABLE when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
