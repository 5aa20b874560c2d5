import type BetterSqlite3 from 'better-sqlite3';
import { Counters } from './counters.ts';
import { fromSqlite, LostRace } from './errors.ts';
import { TenantScope } from './scope.ts';
import {
  bind,
  compile,
  countSql,
  deleteStatement,
  type FindOptions,
  type GuardedUpdate,
  guardedSql,
  insertSql,
  type Params,
  selectStatement,
  updateStatement,
  type Where,
} from './statements.ts';
import type { Table } from './table.ts';
import type { Batch, Read, Work } from './work.ts';

/** A connection with its statements, each prepared once. */
export class SqliteConnection {
  readonly handle: BetterSqlite3.Database;
  readonly #statements = new Map<string, { statement: BetterSqlite3.Statement; names: readonly string[] }>();

  constructor(handle: BetterSqlite3.Database) {
    this.handle = handle;
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

/** Reads on one connection: the read connection's, or inside a work the writer's. */
export class SqliteRead extends TenantScope implements Read {
  protected readonly connection: SqliteConnection;

  constructor(connection: SqliteConnection, tenantId: string | null) {
    super(tenantId);
    this.connection = connection;
  }

  async one<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    return (await this.find(table, where, { limit: 1 }))[0] ?? null;
  }

  async find<Row>(table: Table<Row>, where: Where<Row>, options: FindOptions<Row> = {}): Promise<Row[]> {
    const { sql, params } = selectStatement(table, this.rows(table, where), options);
    return this.select<Row>(sql, params);
  }

  async all<Row>(sql: string, params: Params = {}): Promise<Row[]> {
    return this.select<Row>(sql, this.params(sql, params));
  }

  protected select<Row>(sql: string, params: Params): Row[] {
    try {
      return this.connection.all(sql, params) as Row[];
    } catch (error) {
      throw fromSqlite(error);
    }
  }

  protected change(sql: string, params: Params): number {
    try {
      return this.connection.run(sql, params);
    } catch (error) {
      throw fromSqlite(error);
    }
  }
}

/** One unit of work on the writer connection; its savepoint is the writer's business. */
export class SqliteWork extends SqliteRead implements Work {
  readonly counters = new Counters();

  /** The writer is alone on its connection: every row is locked already. */
  lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    return this.one(table, where);
  }

  async insert<Row>(table: Table<Row>, row: Row): Promise<void> {
    this.change(insertSql(table as Table<never>), this.row(table, row) as Params);
  }

  async update<Row>(table: Table<Row>, where: Where<Row>, set: Where<Row>): Promise<number> {
    const { sql, params } = updateStatement(table, this.rows(table, where), set);
    return this.change(sql, params);
  }

  async delete<Row>(table: Table<Row>, where: Where<Row>): Promise<number> {
    const { sql, params } = deleteStatement(table, this.rows(table, where));
    return this.change(sql, params);
  }

  async run(sql: string, params: Params = {}): Promise<number> {
    return this.change(sql, this.params(sql, params));
  }

  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void {
    this.counters.add(table as unknown as Table<never>, key as unknown as Params, delta);
  }
}

/** A batch on the writer connection: written as it is filled. */
export class SqliteBatch extends SqliteRead implements Batch {
  readonly counters = new Counters();

  insert<Row>(table: Table<Row>, row: Row): void {
    this.change(insertSql(table as Table<never>), this.row(table, row) as Params);
  }

  settle<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    const changed = this.change(guardedSql(update as unknown as GuardedUpdate<never>), values as Params);
    if (changed !== 1) throw new LostRace(`${update.table.name}: the row is no longer ${update.guard}`);
  }

  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void {
    this.counters.add(table as unknown as Table<never>, key as unknown as Params, delta);
  }
}

/** Writes summed counters on the connection of the group that is about to commit. */
export function writeCounters(connection: SqliteConnection, counters: Counters): void {
  for (const [table, rows] of counters.rows()) for (const row of rows) connection.run(countSql(table), row);
}
