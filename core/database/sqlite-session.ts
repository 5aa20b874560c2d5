import type BetterSqlite3 from 'better-sqlite3';
import { assert } from '#core/kernel';
import { type Integrity, isDamage } from '#core/platform/integrity';
import { type ChainOf, type ChainRow, emptyHead, followingParams, type LogHead, linkAll } from './chain.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { fromSqlite, LostRace } from './errors.ts';
import { ScopedRead, ScopedWork, TenantScope } from './scoped.ts';
import {
  type BulkStatement,
  bind,
  bulkSql,
  compile,
  countSql,
  type GuardedUpdate,
  guardedSql,
  headSql,
  insertSql,
  type Params,
  saveHeadSql,
  type Where,
} from './statements.ts';
import type { Table } from './table.ts';
import type { Work, Writer } from './work.ts';

/** A connection that prepares each statement once. */
export class SqliteConnection {
  readonly handle: BetterSqlite3.Database;
  readonly #statements = new Map<string, { statement: BetterSqlite3.Statement; names: readonly string[] }>();
  readonly #options: { readonly file: string; readonly integrity: Integrity };

  constructor(handle: BetterSqlite3.Database, options: { readonly file: string; readonly integrity: Integrity }) {
    this.handle = handle;
    this.#options = options;
  }

  /** Translates an error of SQLite for the caller. Damage is reported, so that writes stop. */
  translate(error: unknown): unknown {
    return isDamage(error) ? this.#options.integrity.report(this.#options.file, (error as Error).message) : fromSqlite(error);
  }

  /** Runs a function and translates its errors. */
  executeSql<Result>(statement: () => Result): Result {
    try {
      return statement();
    } catch (error) {
      throw this.translate(error);
    }
  }

  #prepared(sql: string) {
    const known = this.#statements.get(sql);
    if (known) return known;
    const { text, names } = compile(sql, 'sqlite');
    const entry = { statement: this.handle.prepare(text), names };
    this.#statements.set(sql, entry);
    return entry;
  }

  all(sql: string, params: Params): unknown[] {
    const prepared = this.#prepared(sql);
    return prepared.statement.all(...bind(prepared, params));
  }

  /** Runs a statement that must not change anything. */
  read(sql: string, params: Params): unknown[] {
    const prepared = this.#prepared(sql);
    assert(prepared.statement.readonly, 'a read changes nothing');
    return prepared.statement.all(...bind(prepared, params));
  }

  run(sql: string, params: Params): number {
    const prepared = this.#prepared(sql);
    return prepared.statement.run(...bind(prepared, params)).changes;
  }

  exec(sql: string): void {
    this.#prepared(sql).statement.run();
  }
}

/** Reads of committed rows, each on the connection that is given at its time. */
export class SqliteRead extends ScopedRead {
  readonly #connectionNow: () => SqliteConnection;

  constructor(connectionNow: () => SqliteConnection, tenantId: string | null) {
    super(tenantId);
    this.#connectionNow = connectionNow;
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    const connection = this.#connectionNow();
    return connection.executeSql(() => connection.read(sql, params) as Row[]);
  }
}

/** One unit of work on the writer connection. The writer sets its savepoint. */
export class SqliteWork extends ScopedWork implements Work {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, tenantId: string | null) {
    super(tenantId);
    this.#connection = connection;
  }

  /** Same as `one()`: the writer has the only connection that writes, so every row is locked already. */
  lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    return this.one(table, where);
  }

  insert<Row>(table: Table<Row>, row: Row): void {
    this.#connection.executeSql(() => this.#connection.run(insertSql(table), this.checkedRow(table, row)));
  }

  apply<Row>(statement: BulkStatement<Row>, row: Row): void {
    const params = this.checkedBulkRow(statement, row);
    this.#connection.executeSql(() => this.#connection.run(bulkSql(statement), params));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    runGuardedUpdate(this.#connection, update, values);
  }

  /** Does nothing, because units of work run one after another. */
  async advisoryLock(): Promise<void> {}

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    return this.#connection.executeSql(() => this.#connection.all(sql, params) as Row[]);
  }

  protected override async executeSql(sql: string, params: Params): Promise<number> {
    return this.#connection.executeSql(() => this.#connection.run(sql, params));
  }
}

/** A batch on the writer connection. Each write runs immediately. */
export class SqliteBatch extends TenantScope implements Writer {
  readonly deferredWrites = new DeferredWrites();
  readonly afterCommitCallbacks: (() => void)[] = [];
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, tenantId: string) {
    super(tenantId);
    this.#connection = connection;
  }

  insert<Row>(table: Table<Row>, row: Row): void {
    this.#connection.executeSql(() => this.#connection.run(insertSql(table), this.checkedRow(table, row)));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    runGuardedUpdate(this.#connection, update, values);
  }

  apply<Row>(statement: BulkStatement<Row>, row: Row): void {
    const params = this.checkedBulkRow(statement, row);
    this.#connection.executeSql(() => this.#connection.run(bulkSql(statement), params));
  }

  afterCommit(callback: () => void): void {
    this.afterCommitCallbacks.push(callback);
  }

  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void {
    this.deferredWrites.count(table, key as Params, delta);
  }

  defer<Row>(statement: BulkStatement<Row>, row: Row): void {
    this.deferredWrites.defer(statement, this.checkedBulkRow(statement, row));
  }

  append<Row extends ChainRow>(chain: ChainOf<Row>, row: Row): void {
    this.deferredWrites.append(chain, this.checkedTenant(row), row);
  }
}

function runGuardedUpdate<Row>(connection: SqliteConnection, update: GuardedUpdate<Row>, values: Where<Row>): void {
  const changed = connection.executeSql(() => connection.run(guardedSql(update), values as Params));
  if (changed !== 1) throw new LostRace(`${update.table.name}: the row is no longer ${update.guard}`);
}

/** Writes deferred statements, then counters, then the linked logs, before the group commits. */
export function writeDeferred(connection: SqliteConnection, deferredWrites: DeferredWrites): void {
  for (const [statement, rows] of deferredWrites.deferred()) for (const row of rows) connection.run(bulkSql(statement), row);
  for (const [table, rows] of deferredWrites.counters()) for (const row of rows) connection.run(countSql(table), row);
  for (const [chain, byTenant] of deferredWrites.chains()) {
    for (const [tenantId, entries] of byTenant) {
      const [known] = connection.all(headSql(chain.heads), { tenant_id: tenantId }) as LogHead[];
      const { rows, head } = linkAll(chain, known ?? emptyHead(tenantId), entries);
      for (const row of rows) connection.run(insertSql(chain.table), row as Params);
      connection.run(saveHeadSql(chain.heads), head);
      if (chain.follow) for (const params of followingParams(chain, rows)) connection.run(bulkSql(chain.follow.statement), params);
    }
  }
}
