import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { ClientBase, Pool } from 'pg';
import { assert } from '#core/kernel';
import { type ChainOf, type ChainRow, filledBlocks, followingParams, type LogHead, linkAll } from './chain.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { fromPostgres, LostRace } from './errors.ts';
import { KeyLookUps, keyColumnOf } from './key-look-ups.ts';
import { type BulkCall, bulkMany, countMany, guardedMany, insertMany, lockHeads, saveHeads } from './postgres-bulk.ts';
import { countRow } from './row-counts.ts';
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

interface Answer {
  readonly rows: unknown[];
  readonly changed: number;
}

/** Sends a prepared statement. Errors of pg are not translated here. */
async function send(connection: Queryable, { text, values }: BulkCall): Promise<Answer> {
  const answer = await (connection as Pool).query({ name: nameOf(text), text, values });
  return { rows: answer.rows, changed: answer.rowCount ?? 0 };
}

/** A statement of a transaction that does not wait for the answers to those before it. */
interface PipelinedCall extends BulkCall {
  /** Checks the answer. An exception fails the transaction. */
  readonly check?: (answer: Answer) => void;
}

/**
 * Sends statements together in one message and returns their answers. They run in their order. After an error the server rejects the rest of
 * them. @throws the first error, when all statements are answered.
 */
async function sendAll(client: ClientBase, calls: readonly PipelinedCall[]): Promise<Answer[]> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  const sent = calls.map((call) => send(client, call));
  stream.uncork();
  const answers: Answer[] = [];
  for (const [index, result] of (await Promise.allSettled(sent)).entries()) {
    if (result.status === 'rejected') throw result.reason;
    calls[index]?.check?.(result.value);
    answers.push(result.value);
  }
  return answers;
}

/**
 * Writes what was collected, then deferred statements, then counters, then the linked logs, whose heads stay locked until the commit. Only the number
 * of a row in a log depends on an answer, so the statements are sent in one message for each log and one before.
 */
async function writeAll(client: ClientBase, collected: readonly PipelinedCall[], deferredWrites: DeferredWrites): Promise<void> {
  const calls = [...collected];
  for (const [statement, rows] of deferredWrites.deferred()) calls.push(bulkMany(statement, rows));
  for (const [table, rows] of deferredWrites.counters()) calls.push(countMany(table, rows));
  for (const [chain, byTenant] of deferredWrites.chains()) {
    const tenantIds = byTenant.map(([tenantId]) => tenantId);
    calls.push(lockHeads(chain.heads, tenantIds));
    const heads = (await sendAll(client, calls.splice(0))).at(-1)?.rows as LogHead[];
    const known = new Map(heads.map((head) => [head.tenant_id, head]));
    const linked = byTenant.map(([tenantId, entries]) => {
      const before = known.get(tenantId) as LogHead;
      const { rows, head } = linkAll(chain, before, entries);
      return { rows, head, blocks: filledBlocks(chain, before, head) };
    });
    const rows = linked.flatMap(({ rows }) => rows) as Params[];
    const newHeads = linked.map(({ head }) => head);
    calls.push(insertMany(chain.table, rows), saveHeads(chain.heads, newHeads));
    if (chain.follow) calls.push(bulkMany(chain.follow.statement, followingParams(chain, rows)));
    const blocks = linked.flatMap((log) => log.blocks.map((block) => ({ ...block })));
    if (chain.blocks && blocks.length > 0) calls.push(bulkMany(chain.blocks.statement, blocks));
  }
  if (calls.length > 0) await sendAll(client, calls);
}

/** Returns the look-ups by key of all reads over a pool. */
export const keyLookUpsOn = (pool: Pool): KeyLookUps =>
  new KeyLookUps(async (call) => {
    try {
      return (await send(pool, call)).rows as Record<string, unknown>[];
    } catch (error) {
      throw fromPostgres(error);
    }
  });

/** Reads over the pool. */
export class PostgresRead extends ScopedRead {
  readonly #pool: Pool;
  readonly #lookUps: KeyLookUps;

  constructor(pool: Pool, lookUps: KeyLookUps, tenantId: string | null) {
    super(tenantId);
    this.#pool = pool;
    this.#lookUps = lookUps;
  }

  override one<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    const scoped: Params = this.scopedWhere(table, where) as Params;
    const column = this.tenantId === null ? null : keyColumnOf(table, scoped);
    if (this.tenantId === null || column === null) return super.one(table, where);
    return this.#lookUps.find(table, this.tenantId, String(scoped[column])) as Promise<Row | null>;
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
    countRow(this, table, row as object, 1);
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

  /** Sends the writes that are still collected, and the deferred ones. Throws if a unique key or a guard is violated. */
  async finish(): Promise<void> {
    await writeAll(this.#client, this.#takeCollected(), this.deferredWrites);
  }

  /** Sends the collected writes. Throws if a unique key or a guard is violated. */
  async #flush(): Promise<void> {
    const calls = this.#takeCollected();
    if (calls.length > 0) await sendAll(this.#client, calls);
  }

  /** Returns the collected writes, one statement per table and kind, and forgets them. */
  #takeCollected(): PipelinedCall[] {
    const calls = collectedCalls(this.#inserts, this.#guardedUpdates, this.#bulkRows);
    this.#inserts.clear();
    this.#guardedUpdates.clear();
    this.#bulkRows.clear();
    return calls;
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    return (await this.#send(sql, params)).rows as Row[];
  }

  protected override async executeSql(sql: string, params: Params): Promise<number> {
    return (await this.#send(sql, params)).changed;
  }

  async #send(sql: string, params: Params) {
    await this.#flush();
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
    countRow(this, table, row as object, 1);
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

/** Returns the statements of collected writes: inserts, then guarded updates, then bulk statements. */
function collectedCalls(
  inserts: ReadonlyMap<TableShape, readonly Params[]>,
  guardedUpdates: ReadonlyMap<GuardedShape, readonly Params[]>,
  bulkRows: ReadonlyMap<BulkShape, readonly Params[]>,
): PipelinedCall[] {
  return [
    ...[...inserts].map(([table, rows]) => insertMany(table, rows)),
    ...[...guardedUpdates].map(([update, rows]) => guardedCall(update, rows)),
    ...[...bulkRows].map(([statement, rows]) => bulkMany(statement, rows)),
  ];
}

/** Returns the statement of guarded updates. Its check throws LostRace if a guard is false. */
function guardedCall(update: GuardedShape, rows: readonly Params[]): PipelinedCall {
  const sorted = [...rows].sort((left, right) => (String(left.id) < String(right.id) ? -1 : 1));
  return {
    ...guardedMany(update, sorted),
    check({ changed }) {
      assert(changed <= rows.length, 'a guarded update changes each row once');
      if (changed < rows.length) throw new LostRace(`${update.table.name}: a row is no longer ${update.guard}`);
    },
  };
}

/** Writes a group of batches in the transaction of a connection. @throws LostRace if any guard is false; the group must then be rolled back. */
export async function writeBatches(client: ClientBase, batches: readonly PostgresBatch[]): Promise<void> {
  const deferredWrites = new DeferredWrites();
  for (const batch of batches) deferredWrites.merge(batch.deferredWrites);
  const calls = collectedCalls(
    mergeRows(batches, (batch) => batch.inserts),
    mergeRows(batches, (batch) => batch.guardedUpdates),
    mergeRows(batches, (batch) => batch.bulkRows),
  );
  await writeAll(client, calls, deferredWrites);
}
