import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { assert } from '#core/kernel';
import { type ChainOf, type ChainRow, followingParams, type LogHead, linkAll } from './chain.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { fromPostgres, LostRace } from './errors.ts';
import { bulkMany, countMany, guardedMany, insertMany, lockHeads, saveHeads } from './postgres-bulk.ts';
import { ScopedRead, ScopedWork, TenantScope } from './scoped.ts';
import {
  type BulkShape,
  type BulkStatement,
  bind,
  compile,
  type GuardedShape,
  type GuardedUpdate,
  type Params,
  selectStatement,
  type Where,
} from './statements.ts';
import type { Table, TableShape } from './table.ts';
import type { Work, Writer } from './work.ts';

type Queryable = Pick<ClientBase, 'query'> | Pick<Pool, 'query'>;

/** Class of the advisory locks of units of work; an arbitrary number that no other program uses. */
const WORK_LOCK = 7_290_553;

const names = new Map<string, string>();

/** Returns the name under which a statement is prepared, once per connection. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `p${createHash('sha256').update(text).digest('hex').slice(0, 30)}`;
  names.set(text, name);
  return name;
}

/** Sends a prepared statement. Errors of pg are not translated here. */
async function send(
  connection: Queryable,
  { text, values }: { readonly text: string; readonly values: unknown[] },
): Promise<{ rows: unknown[]; changed: number }> {
  const answer = await (connection as Pool).query({ name: nameOf(text), text, values });
  return { rows: answer.rows, changed: answer.rowCount ?? 0 };
}

/** Writes deferred statements, then counters, then the linked logs, whose heads stay locked until the commit. */
export async function writeDeferred(connection: Queryable, deferredWrites: DeferredWrites): Promise<void> {
  for (const [statement, rows] of deferredWrites.deferred()) await send(connection, bulkMany(statement, rows));
  for (const [table, rows] of deferredWrites.counters()) await send(connection, countMany(table, rows));
  for (const [chain, byTenant] of deferredWrites.chains()) {
    const tenantIds = byTenant.map(([tenantId]) => tenantId);
    const { rows: heads } = await send(connection, lockHeads(chain.heads, tenantIds));
    const known = new Map((heads as LogHead[]).map((head) => [head.tenant_id, head]));
    const linked = byTenant.map(([tenantId, entries]) => linkAll(chain, known.get(tenantId) as LogHead, entries));
    const rows = linked.flatMap(({ rows }) => rows) as Params[];
    await send(connection, insertMany(chain.table, rows));
    const newHeads = linked.map(({ head }) => head);
    await send(connection, saveHeads(chain.heads, newHeads));
    if (chain.follow) await send(connection, bulkMany(chain.follow.statement, followingParams(chain, rows)));
  }
}

/** Reads over the pool. */
export class PostgresRead extends ScopedRead {
  readonly #pool: Pool;

  constructor(pool: Pool, tenantId: string | null) {
    super(tenantId);
    this.#pool = pool;
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    const compiled = compile(sql, 'postgres');
    try {
      return (await send(this.#pool, { text: compiled.text, values: bind(compiled, params) })).rows as Row[];
    } catch (error) {
      throw fromPostgres(error);
    }
  }
}

/**
 * A unit of work in its own transaction, with row locks. Inserts, guarded updates and bulk statements are sent with the next
 * statement. Errors of pg are passed on unchanged: the caller decides about retries.
 */
export class PostgresWork extends ScopedWork implements Work {
  readonly #client: ClientBase;
  readonly #inserts = new Map<TableShape, Params[]>();
  readonly #guardedUpdates = new Map<GuardedShape, Params[]>();
  readonly #bulkRows = new Map<BulkShape, Params[]>();

  constructor(client: ClientBase, tenantId: string | null) {
    super(tenantId);
    this.#client = client;
  }

  async lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    const { sql, params } = selectStatement(table, this.scopedWhere(table, where), { limit: 1 }, true);
    return (await this.select<Row>(sql, params))[0] ?? null;
  }

  insert<Row>(table: Table<Row>, row: Row): void {
    push(this.#inserts, table, this.checkedRow(table, row));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    push(this.#guardedUpdates, update, values as Params);
  }

  apply<Row>(statement: BulkStatement<Row>, row: Row): void {
    push(this.#bulkRows, statement, this.checkedBulkRow(statement, row));
  }

  async advisoryLock(name: string): Promise<void> {
    await send(this.#client, { text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))', values: [WORK_LOCK, name] });
  }

  /** Sends the collected writes, one statement per table and kind. Throws if a unique key or a guard is violated. */
  async flush(): Promise<void> {
    for (const [table, rows] of this.#inserts) {
      this.#inserts.delete(table);
      await send(this.#client, insertMany(table, rows));
    }
    for (const [update, rows] of this.#guardedUpdates) {
      this.#guardedUpdates.delete(update);
      await runGuardedUpdates(this.#client, update, rows);
    }
    for (const [statement, rows] of this.#bulkRows) {
      this.#bulkRows.delete(statement);
      await send(this.#client, bulkMany(statement, rows));
    }
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    return (await this.#send(sql, params)).rows as Row[];
  }

  protected override async executeSql(sql: string, params: Params): Promise<number> {
    return (await this.#send(sql, params)).changed;
  }

  async #send(sql: string, params: Params) {
    await this.flush();
    const compiled = compile(sql, 'postgres');
    return send(this.#client, { text: compiled.text, values: bind(compiled, params) });
  }
}

function push<Key>(into: Map<Key, Params[]>, key: Key, row: Params): void {
  const rows = into.get(key);
  if (rows) rows.push(row);
  else into.set(key, [row]);
}

/** A batch that collects its writes. A group of batches is sent as one statement per table. */
export class PostgresBatch extends TenantScope implements Writer {
  readonly deferredWrites = new DeferredWrites();
  readonly inserts = new Map<TableShape, Params[]>();
  readonly guardedUpdates = new Map<GuardedShape, Params[]>();
  readonly bulkRows = new Map<BulkShape, Params[]>();
  readonly afterCommitCallbacks: (() => void)[] = [];

  insert<Row>(table: Table<Row>, row: Row): void {
    push(this.inserts, table, this.checkedRow(table, row));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    push(this.guardedUpdates, update, values as Params);
  }

  apply<Row>(statement: BulkStatement<Row>, row: Row): void {
    push(this.bulkRows, statement, this.checkedBulkRow(statement, row));
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

function mergeRows<Key>(batches: readonly PostgresBatch[], rowsOf: (batch: PostgresBatch) => Map<Key, Params[]>): Map<Key, Params[]> {
  const all = new Map<Key, Params[]>();
  for (const batch of batches) {
    for (const [key, rows] of rowsOf(batch)) {
      const known = all.get(key);
      if (known) known.push(...rows);
      else all.set(key, [...rows]);
    }
  }
  return all;
}

async function runGuardedUpdates(connection: Queryable, update: GuardedShape, rows: readonly Params[]): Promise<void> {
  const sorted = [...rows].sort((left, right) => (String(left.id) < String(right.id) ? -1 : 1));
  const { changed } = await send(connection, guardedMany(update, sorted));
  assert(changed <= rows.length, 'a guarded update changes each row once');
  if (changed < rows.length) throw new LostRace(`${update.table.name}: a row is no longer ${update.guard}`);
}

/** Writes a group of batches in the transaction of a connection. @throws LostRace if any guard is false; the group must then be rolled back. */
export async function writeBatches(connection: ClientBase, batches: readonly PostgresBatch[]): Promise<void> {
  for (const [table, rows] of mergeRows(batches, (batch) => batch.inserts)) await send(connection, insertMany(table, rows));
  for (const [update, rows] of mergeRows(batches, (batch) => batch.guardedUpdates)) await runGuardedUpdates(connection, update, rows);
  for (const [statement, rows] of mergeRows(batches, (batch) => batch.bulkRows)) await send(connection, bulkMany(statement, rows));
  const deferredWrites = new DeferredWrites();
  for (const batch of batches) deferredWrites.merge(batch.deferredWrites);
  await writeDeferred(connection, deferredWrites);
}
