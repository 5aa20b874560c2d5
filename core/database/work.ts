import type { DamagedDatabase } from '#core/platform/integrity';
import type { Chain, ChainRow } from './chain.ts';
import type { Signals } from './signals.ts';
import type { FindOptions, GuardedUpdate, Params, SetStatement, Where } from './statements.ts';
import type { Table } from './table.ts';

/** Reads of one tenant (or, where `tenantId` is null, of the whole installation). Never sees what is not committed, except inside a Work. */
export interface Read {
  readonly tenantId: string | null;
  /** The one row, or null. On a tenant's Read, tenant_id is added by itself. A null in `where` means IS NULL. */
  one<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null>;
  find<Row>(table: Table<Row>, where: Where<Row>, options?: FindOptions<Row>): Promise<Row[]>;
  /** A repository's own SQL with :named parameters. On a tenant's Read it must hold :tenantId, which is bound by itself. */
  all<Row>(sql: string, params?: Params): Promise<Row[]>;
}

/**
 * One unit of work: all of it is committed, or none. Database calls only, no network and no timers; it may be run again after a
 * deadlock, so it has no effect elsewhere.
 */
export interface Work extends Read {
  /** As one(), and the row stays locked until the end of the work. Lock the aggregate first, always parent before child. */
  lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null>;
  /** Throws UniqueViolation when the key is taken. */
  insert<Row>(table: Table<Row>, row: Row): Promise<void>;
  /** Answers the number of rows changed. */
  update<Row>(table: Table<Row>, where: Where<Row>, set: Where<Row>): Promise<number>;
  delete<Row>(table: Table<Row>, where: Where<Row>): Promise<number>;
  run(sql: string, params?: Params): Promise<number>;
  /** Carries a set statement out for one row; answers the number of rows changed. */
  apply<Row>(statement: SetStatement<Row>, row: Row): Promise<number>;
  /** Waits for every other work, of any server, that has the same name, and keeps them waiting until this one is committed. */
  alone(name: string): Promise<void>;
  /** Calls `tell` once all of it is committed. */
  afterCommit(tell: () => void): void;
  /** Adds `delta` to the counter row of that key; written last, summed over the group. */
  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void;
  /** Carries a set statement out at the end, before the counters and the linked logs. */
  defer<Row>(statement: SetStatement<Row>, row: Row): void;
  /** Adds a row to a linked log, after everything else. */
  append<Row extends ChainRow>(chain: Chain<Row>, row: Row): void;
}

/**
 * Writes that touch only rows of the caller's own making: new rows, guarded updates of them, counters. Nothing is read, so many callers'
 * writes go in one transaction, on PostgreSQL as one set-based statement per table.
 */
export interface Batch {
  insert<Row>(table: Table<Row>, row: Row): void;
  /** Must change exactly one row, else the whole batch is undone and LostRace thrown. */
  settle<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void;
  /** Carries a set statement out for one row, after the inserts and settlements. */
  apply<Row>(statement: SetStatement<Row>, row: Row): void;
  /** Calls `tell` once the batch is committed. */
  afterCommit(tell: () => void): void;
  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void;
  /** Carries a set statement out at the end, before the counters and the linked logs. */
  defer<Row>(statement: SetStatement<Row>, row: Row): void;
  /** Adds a row to a linked log, after everything else. */
  append<Row extends ChainRow>(chain: Chain<Row>, row: Row): void;
}

/** The only way to change anything. Callers are answered after COMMIT. */
export interface UnitOfWork {
  /** Runs the work for a tenant; null for what belongs to none or to several (set-up, start-up jobs). */
  run<Result>(tenantId: string | null, work: (work: Work) => Promise<Result>): Promise<Result>;
  /** Records a batch; `fill` only calls the batch, at once. */
  record(tenantId: string, fill: (batch: Batch) => void): Promise<void>;
}

/** A database as it stands at a moment. */
export interface DatabaseStanding {
  readonly bytes: number;
  /** Servers that work on it now, this one among them. */
  readonly stations: number;
  /** Its own time. */
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
  /** SQL for the database's own time in milliseconds: what servers with clocks of their own agree on. */
  readonly nowSql: string;
  readonly unitOfWork: UnitOfWork;
  /** Between the servers of one database; silent on SQLite. */
  readonly signals: Signals;
  read(tenantId: string): Read;
  /** For sign-in, look-up of keys and jobs at start-up. */
  readAcrossTenants(): Read;
  /**
   * Takes the bytes of deleted rows out of the files as soon as no transaction is open. SQLite overwrites them; on PostgreSQL old versions of a
   * row live until VACUUM and the recycling of its log, which are the operator's.
   */
  scrub(): Promise<void>;
  /** How large it is, how many servers work on it, and what time it has. */
  standing(): Promise<DatabaseStanding>;
  health(): DatabaseHealth;
  /** Throws SERVICE_UNAVAILABLE when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
