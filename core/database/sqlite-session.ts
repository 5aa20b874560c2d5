import type BetterSqlite3 from 'better-sqlite3';
import { assert } from '#core/kernel';
import { type ChainOf, type ChainRow, emptyHead, filledBlocks, followingParams, type LogHead, linkAll } from './chain.ts';
import type { DeferredWrites } from './deferred-writes.ts';
import { fromSqlite, LostRace } from './errors.ts';
import type { HeavyReads } from './heavy-reads.ts';
import { type Integrity, isDamage } from './integrity/index.ts';
import { countRow } from './row-counts.ts';
import { ScopedRead, ScopedWork, TenantScope } from './scoped.ts';
import {
  type BulkShape,
  type BulkStatement,
  bind,
  bulkJsonSql,
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
import type { StoredValue, Table, TableShape } from './table.ts';
import type { Read, Work, Writer } from './work.ts';

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
    try {
      return prepared.statement.all(...bind(prepared, params));
    } catch (error) {
      throw this.translate(error);
    }
  }

  /** Runs a statement that must not change anything. */
  read(sql: string, params: Params): unknown[] {
    const prepared = this.#prepared(sql);
    assert(prepared.statement.readonly, 'a read changes nothing');
    return this.all(sql, params);
  }

  run(sql: string, params: Params): number {
    const prepared = this.#prepared(sql);
    try {
      return prepared.statement.run(...bind(prepared, params)).changes;
    } catch (error) {
      throw this.translate(error);
    }
  }

  /** Runs a statement whose parameters are `?`. */
  runPositional(sql: string, values: readonly StoredValue[]): void {
    const prepared = this.#prepared(sql);
    try {
      prepared.statement.run(...values);
    } catch (error) {
      throw this.translate(error);
    }
  }

  exec(sql: string): void {
    this.#prepared(sql).statement.run();
  }
}

/** The committed rows of a file. */
interface CommittedRows {
  /** Returns the connection to read on at present. */
  connectionNow(): SqliteConnection;
  /** Returns a promise while a commit can be read that is not on the disk yet; otherwise null. */
  flushing(): Promise<unknown> | null;
  /** Returns the threads for heavy reads; null if they run in this one. */
  heavyReads(): HeavyReads | null;
}

/** Reads of committed rows. Their results are on the disk when they are returned. */
export class SqliteRead extends ScopedRead {
  readonly #committed: CommittedRows;
  readonly #isHeavy: boolean;

  constructor(committed: CommittedRows, tenantId: string | null, isHeavy = false) {
    super(tenantId);
    this.#committed = committed;
    this.#isHeavy = isHeavy;
  }

  override get heavy(): Read {
    return this.#isHeavy ? this : new SqliteRead(this.#committed, this.tenantId, true);
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    const threads = this.#isHeavy ? this.#committed.heavyReads() : null;
    const rows = (threads === null ? this.#committed.connectionNow().read(sql, params) : await this.#readIn(threads, sql, params)) as Row[];
    const flushing = this.#committed.flushing();
    if (flushing) await flushing;
    return rows;
  }

  async #readIn(threads: HeavyReads, sql: string, params: Params): Promise<unknown[]> {
    const compiled = compile(sql, 'sqlite');
    try {
      return await threads.read(compiled.text, bind(compiled, params));
    } catch (error) {
      throw this.#committed.connectionNow().translate(error);
    }
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
    this.#connection.run(insertSql(table), this.checkedRow(table, row));
    countRow(this, table, row as object, 1);
  }

  apply<Row>(statement: BulkStatement<Row>, row: Row): void {
    this.#connection.run(bulkSql(statement), this.checkedBulkRow(statement, row));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    runGuardedUpdate(this.#connection, update, values);
  }

  /** Does nothing, because units of work run one after another. */
  async advisoryLock(): Promise<void> {}

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    return this.#connection.all(sql, params) as Row[];
  }

  protected override async executeSql(sql: string, params: Params): Promise<number> {
    return this.#connection.run(sql, params);
  }
}

/** A batch on the writer connection. Each write runs immediately. */
export class SqliteBatch extends TenantScope implements Writer {
  readonly afterCommitCallbacks: (() => void)[] = [];
  readonly #connection: SqliteConnection;
  readonly #deferredWrites: DeferredWrites;

  constructor(connection: SqliteConnection, tenantId: string, deferredWrites: DeferredWrites) {
    super(tenantId);
    this.#connection = connection;
    this.#deferredWrites = deferredWrites;
  }

  insert<Row>(table: Table<Row>, row: Row): void {
    this.#connection.run(insertSql(table), this.checkedRow(table, row));
    countRow(this, table, row as object, 1);
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    runGuardedUpdate(this.#connection, update, values);
  }

  apply<Row>(statement: BulkStatement<Row>, row: Row): void {
    this.#connection.run(bulkSql(statement), this.checkedBulkRow(statement, row));
  }

  afterCommit(callback: () => void): void {
    this.afterCommitCallbacks.push(callback);
  }

  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void {
    this.#deferredWrites.count(table, key as Params, delta);
  }

  defer<Row>(statement: BulkStatement<Row>, row: Row): void {
    this.#deferredWrites.defer(statement, this.checkedBulkRow(statement, row));
  }

  append<Row extends ChainRow>(chain: ChainOf<Row>, row: Row): void {
    this.#deferredWrites.append(chain, this.checkedTenant(row), row);
  }
}

function runGuardedUpdate<Row>(connection: SqliteConnection, update: GuardedUpdate<Row>, values: Where<Row>): void {
  const changed = connection.run(guardedSql(update), values as Params);
  if (changed !== 1) throw new LostRace(`${update.table.name}: the row is no longer ${update.guard}`);
}

/** Writes deferred statements, then counters, then the linked logs, before the group commits. */
export function writeDeferred(connection: SqliteConnection, deferredWrites: DeferredWrites): void {
  for (const [statement, rows] of deferredWrites.deferred()) for (const row of rows) connection.run(bulkSql(statement), row);
  for (const [table, rows] of deferredWrites.counters()) countAll(connection, table, rows);
  for (const [chain, byTenant] of deferredWrites.chains()) {
    for (const [tenantId, entries] of byTenant) {
      const [known] = connection.all(headSql(chain.heads), { tenant_id: tenantId }) as LogHead[];
      const before = known ?? emptyHead(tenantId);
      const { rows, head } = linkAll(chain, before, entries);
      for (const row of rows) connection.run(insertSql(chain.table), row as Params);
      connection.run(saveHeadSql(chain.heads), head);
      if (chain.follow) runForAll(connection, chain.follow.statement, followingParams(chain, rows));
      if (chain.blocks)
        for (const block of filledBlocks(chain, before, head)) connection.run(bulkSql(chain.blocks.statement), { ...block });
    }
  }
}

/** Runs a bulk statement once for all rows. A single row is passed as parameters, which costs less than JSON. */
function runForAll(connection: SqliteConnection, statement: BulkShape, rows: readonly Params[]): void {
  const [first] = rows;
  if (first === undefined) return;
  if (rows.length === 1) connection.run(bulkSql(statement), first);
  else connection.run(bulkJsonSql(statement), { rows: JSON.stringify(rows) });
}

/** Number of counter rows in one statement. Each number of rows is a statement of its own. */
const COUNTERS_PER_STATEMENT = 8;

/** Adds to the counter rows of a table, in few statements. */
function countAll(connection: SqliteConnection, table: TableShape, rows: readonly Params[]): void {
  for (let from = 0; from < rows.length; from += COUNTERS_PER_STATEMENT) {
    const part = rows.slice(from, from + COUNTERS_PER_STATEMENT);
    connection.runPositional(
      countSql(table, part.length),
      part.flatMap((row) => table.columns.map((column) => row[column] as StoredValue)),
    );
  }
}
