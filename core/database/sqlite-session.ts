import type BetterSqlite3 from 'better-sqlite3';
import { type Integrity, isDamage } from '#core/platform/integrity';
import { type Chain, type ChainHead, type ChainRow, emptyHead, linkAll } from './chain.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { fromSqlite, LostRace } from './errors.ts';
import { ScopedRead, ScopedWork, TenantScope } from './scoped.ts';
import {
  bind,
  compile,
  countSql,
  type GuardedUpdate,
  guardedSql,
  headSql,
  insertSql,
  keepHeadSql,
  type Params,
  type SetStatement,
  setSql,
  type Where,
} from './statements.ts';
import type { Table } from './table.ts';
import type { Work, Writer } from './work.ts';

/** A connection with its statements, each prepared once. */
export class SqliteConnection {
  readonly handle: BetterSqlite3.Database;
  readonly #statements = new Map<string, { statement: BetterSqlite3.Statement; names: readonly string[] }>();
  readonly #of: { readonly file: string; readonly integrity: Integrity };

  constructor(handle: BetterSqlite3.Database, of: { readonly file: string; readonly integrity: Integrity }) {
    this.handle = handle;
    this.#of = of;
  }

  /** Translates an error of SQLite for the caller. Damage is reported, so that writes stop. */
  translate(error: unknown): unknown {
    return isDamage(error) ? this.#of.integrity.report(this.#of.file, (error as Error).message) : fromSqlite(error);
  }

  /** Runs a statement of a caller, whose errors are translated. */
  carryOut<Result>(statement: () => Result): Result {
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
    const { statement, names } = this.#prepared(sql);
    return statement.all(...bind({ text: sql, names }, params));
  }

  run(sql: string, params: Params): number {
    const { statement, names } = this.#prepared(sql);
    return statement.run(...bind({ text: sql, names }, params)).changes;
  }

  exec(sql: string): void {
    this.#prepared(sql).statement.run();
  }
}

/** Reads on the read connection. */
export class SqliteRead extends ScopedRead {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, tenantId: string | null) {
    super(tenantId);
    this.#connection = connection;
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    return this.#connection.carryOut(() => this.#connection.all(sql, params) as Row[]);
  }
}

/** One unit of work on the writer connection; its savepoint is the writer's business. */
export class SqliteWork extends ScopedWork implements Work {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, tenantId: string | null) {
    super(tenantId);
    this.#connection = connection;
  }

  /** The writer is alone on its connection: every row is locked already. */
  lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    return this.one(table, where);
  }

  insert<Row>(table: Table<Row>, row: Row): void {
    this.#connection.carryOut(() => this.#connection.run(insertSql(table), this.ownedRow(table, row)));
  }

  apply<Row>(statement: SetStatement<Row>, row: Row): void {
    const params = this.given(statement, row);
    this.#connection.carryOut(() => this.#connection.run(setSql(statement), params));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    settleOne(this.#connection, update, values);
  }

  /** Works follow one another here. */
  async advisoryLock(): Promise<void> {}

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    return this.#connection.carryOut(() => this.#connection.all(sql, params) as Row[]);
  }

  protected override async carryOut(sql: string, params: Params): Promise<number> {
    return this.#connection.carryOut(() => this.#connection.run(sql, params));
  }
}

/** A batch on the writer connection. Each write runs at once. */
export class SqliteBatch extends TenantScope implements Writer {
  readonly late = new DeferredWrites();
  readonly told: (() => void)[] = [];
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, tenantId: string) {
    super(tenantId);
    this.#connection = connection;
  }

  insert<Row>(table: Table<Row>, row: Row): void {
    this.#connection.carryOut(() => this.#connection.run(insertSql(table), this.ownedRow(table, row)));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    settleOne(this.#connection, update, values);
  }

  apply<Row>(statement: SetStatement<Row>, row: Row): void {
    const params = this.given(statement, row);
    this.#connection.carryOut(() => this.#connection.run(setSql(statement), params));
  }

  afterCommit(tell: () => void): void {
    this.told.push(tell);
  }

  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void {
    this.late.count(table, key as Params, delta);
  }

  defer<Row>(statement: SetStatement<Row>, row: Row): void {
    this.late.defer(statement, this.given(statement, row));
  }

  append<Row extends ChainRow>(chain: Chain<Row>, row: Row): void {
    this.late.append(chain, this.tenantOf(row), row);
  }
}

function settleOne<Row>(connection: SqliteConnection, update: GuardedUpdate<Row>, values: Where<Row>): void {
  const changed = connection.carryOut(() => connection.run(guardedSql(update), values as Params));
  if (changed !== 1) throw new LostRace(`${update.table.name}: the row is no longer ${update.guard}`);
}

/** Writes what is to be written last on the connection of the group that is about to commit. */
export function writeDeferred(connection: SqliteConnection, late: DeferredWrites): void {
  for (const [statement, rows] of late.deferred()) for (const row of rows) connection.run(setSql(statement), row);
  for (const [table, rows] of late.counters()) for (const row of rows) connection.run(countSql(table), row);
  for (const [chain, byTenant] of late.chains()) {
    for (const [tenantId, entries] of byTenant) {
      const [known] = connection.all(headSql(chain), { tenant_id: tenantId }) as ChainHead[];
      const { rows, head } = linkAll(chain, known ?? emptyHead(tenantId), entries);
      for (const row of rows) connection.run(insertSql(chain.table), row as Params);
      connection.run(keepHeadSql(chain), head as unknown as Params);
    }
  }
}
