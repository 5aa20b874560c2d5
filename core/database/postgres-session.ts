import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { assert } from '#core/kernel';
import { Counters } from './counters.ts';
import { fromPostgres, LostRace } from './errors.ts';
import { TenantScope } from './scope.ts';
import {
  bind,
  compile,
  countManySql,
  deleteStatement,
  type FindOptions,
  type GuardedUpdate,
  guardedManySql,
  insertManySql,
  type Params,
  selectStatement,
  updateStatement,
  type Where,
} from './statements.ts';
import type { StoredValue, Table } from './table.ts';
import type { Batch, Read, Work } from './work.ts';

type Queryable = Pick<ClientBase, 'query'> | Pick<Pool, 'query'>;

const names = new Map<string, string>();

/** A statement's name on the server: prepared once per connection under it. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `p${createHash('sha256').update(text).digest('hex').slice(0, 30)}`;
  names.set(text, name);
  return name;
}

/** Sends a prepared statement; errors come out as the contract knows them, except those that a retry may cure. */
export async function send(on: Queryable, text: string, values: unknown[]): Promise<{ rows: unknown[]; changed: number }> {
  const answer = await (on as Pool).query({ name: nameOf(text), text, values });
  return { rows: answer.rows, changed: answer.rowCount ?? 0 };
}

function columnArrays(columns: readonly string[], rows: readonly Params[]): StoredValue[][] {
  return columns.map((column) => rows.map((row) => row[column] as StoredValue));
}

export async function writeCounters(on: Queryable, counters: Counters): Promise<void> {
  for (const [table, rows] of counters.rows()) await send(on, countManySql(table), columnArrays(table.columns, rows));
}

/** Reads over a pool, or inside a work over its one client. */
export class PostgresRead extends TenantScope implements Read {
  protected readonly on: Queryable;

  constructor(on: Queryable, tenantId: string | null) {
    super(tenantId);
    this.on = on;
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

  protected async select<Row>(sql: string, params: Params): Promise<Row[]> {
    const compiled = compile(sql, 'postgres');
    try {
      return (await send(this.on, compiled.text, bind(compiled, params))).rows as Row[];
    } catch (error) {
      throw this.told(error);
    }
  }

  protected told(error: unknown): unknown {
    return fromPostgres(error);
  }
}

/** One unit of work in a transaction of its own, with row locks. Inserts wait for the next statement, to go together. */
export class PostgresWork extends PostgresRead implements Work {
  readonly counters = new Counters();
  readonly #inserts = new Map<Table<never>, Params[]>();

  async lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    const { sql, params } = selectStatement(table, this.rows(table, where), { limit: 1 }, true);
    return (await this.select<Row>(sql, params))[0] ?? null;
  }

  async insert<Row>(table: Table<Row>, row: Row): Promise<void> {
    const key = table as unknown as Table<never>;
    const rows = this.#inserts.get(key) ?? [];
    rows.push(this.row(table, row) as Params);
    this.#inserts.set(key, rows);
  }

  async update<Row>(table: Table<Row>, where: Where<Row>, set: Where<Row>): Promise<number> {
    const { sql, params } = updateStatement(table, this.rows(table, where), set);
    return this.#change(sql, params);
  }

  async delete<Row>(table: Table<Row>, where: Where<Row>): Promise<number> {
    const { sql, params } = deleteStatement(table, this.rows(table, where));
    return this.#change(sql, params);
  }

  async run(sql: string, params: Params = {}): Promise<number> {
    return this.#change(sql, this.params(sql, params));
  }

  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void {
    this.counters.add(table as unknown as Table<never>, key as unknown as Params, delta);
  }

  async #change(sql: string, params: Params): Promise<number> {
    await this.flush();
    const compiled = compile(sql, 'postgres');
    return (await send(this.on, compiled.text, bind(compiled, params))).changed;
  }

  /** Sends the waiting inserts, a statement per table. A violated key shows here, so works that expect one call this by reading. */
  async flush(): Promise<void> {
    for (const [table, rows] of this.#inserts) {
      this.#inserts.delete(table);
      await send(this.on, insertManySql(table), columnArrays(table.columns, rows));
    }
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    await this.flush();
    return super.select<Row>(sql, params);
  }

  /** Inside a transaction the pool decides about retries, so errors stay as pg gave them. */
  protected override told(error: unknown): unknown {
    return error;
  }
}

/** A batch that only remembers; the group of batches is sent as one statement per table. */
export class PostgresBatch extends TenantScope implements Batch {
  readonly counters = new Counters();
  readonly inserts = new Map<Table<never>, Params[]>();
  readonly settles = new Map<GuardedUpdate<never>, Params[]>();

  insert<Row>(table: Table<Row>, row: Row): void {
    const key = table as unknown as Table<never>;
    const rows = this.inserts.get(key) ?? [];
    rows.push(this.row(table, row) as Params);
    this.inserts.set(key, rows);
  }

  settle<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    const key = update as unknown as GuardedUpdate<never>;
    const rows = this.settles.get(key) ?? [];
    rows.push(values as Params);
    this.settles.set(key, rows);
  }

  count<Row extends { n: number }>(table: Table<Row>, key: Omit<Row, 'n'>, delta: number): void {
    this.counters.add(table as unknown as Table<never>, key as unknown as Params, delta);
  }
}

function together<Key>(batches: readonly PostgresBatch[], of: (batch: PostgresBatch) => Map<Key, Params[]>): Map<Key, Params[]> {
  const all = new Map<Key, Params[]>();
  for (const batch of batches) {
    for (const [key, rows] of of(batch)) {
      const known = all.get(key);
      if (known) known.push(...rows);
      else all.set(key, [...rows]);
    }
  }
  return all;
}

/** Writes a group of batches on a client inside its transaction. Throws LostRace when any guard was false: the group must then be undone. */
export async function writeBatches(on: ClientBase, batches: readonly PostgresBatch[]): Promise<void> {
  for (const [table, rows] of together(batches, (batch) => batch.inserts))
    await send(on, insertManySql(table), columnArrays(table.columns, rows));
  for (const [update, rows] of together(batches, (batch) => batch.settles)) {
    const sorted = [...rows].sort((left, right) => (String(left.id) < String(right.id) ? -1 : 1));
    const { changed } = await send(on, guardedManySql(update), columnArrays([...update.where, ...update.set], sorted));
    assert(changed <= rows.length, 'a guarded update names each row once');
    if (changed < rows.length) throw new LostRace(`${update.table.name}: a row is no longer ${update.guard}`);
  }
  const counters = new Counters();
  for (const batch of batches) counters.merge(batch.counters);
  await writeCounters(on, counters);
}
