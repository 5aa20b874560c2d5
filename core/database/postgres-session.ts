import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { assert } from '#core/kernel';
import { type Chain, type ChainHead, type ChainRow, linkAll } from './chain.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { fromPostgres, LostRace } from './errors.ts';
import { ScopedRead, ScopedWork, TenantScope } from './scoped.ts';
import {
  bind,
  compile,
  countManySql,
  type GuardedShape,
  type GuardedUpdate,
  guardedManySql,
  insertManySql,
  keepHeadsSql,
  lockHeadsSql,
  type Params,
  type SetShape,
  type SetStatement,
  selectStatement,
  setManySql,
  type Where,
} from './statements.ts';
import type { StoredValue, Table, TableShape } from './table.ts';
import type { Work, Writer } from './work.ts';

type Queryable = Pick<ClientBase, 'query'> | Pick<Pool, 'query'>;

/** Any number that no other program takes. */
const WORK_LOCK = 7_290_553;

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
async function send(on: Queryable, text: string, values: unknown[]): Promise<{ rows: unknown[]; changed: number }> {
  const answer = await (on as Pool).query({ name: nameOf(text), text, values });
  return { rows: answer.rows, changed: answer.rowCount ?? 0 };
}

function columnArrays(columns: readonly string[], rows: readonly Params[]): StoredValue[][] {
  return columns.map((column) => rows.map((row) => row[column] as StoredValue));
}

/** Writes what is to be written last: deferred statements, then counters, then the linked logs, whose heads stay locked until the commit. */
export async function writeDeferred(on: Queryable, late: DeferredWrites): Promise<void> {
  for (const [statement, rows] of late.deferred())
    await send(on, setManySql(statement), columnArrays(Object.keys(statement.columns), rows));
  for (const [table, rows] of late.counters()) await send(on, countManySql(table), columnArrays(table.columns, rows));
  for (const [chain, byTenant] of late.chains()) {
    const { rows: heads } = await send(on, lockHeadsSql(chain), [byTenant.map(([tenantId]) => tenantId)]);
    const known = new Map((heads as ChainHead[]).map((head) => [head.tenant_id, head]));
    const linked = byTenant.map(([tenantId, entries]) => linkAll(chain, known.get(tenantId) as ChainHead, entries));
    const rows = linked.flatMap((of) => of.rows) as Params[];
    await send(on, insertManySql(chain.table), columnArrays(chain.table.columns, rows));
    const moved = linked.map(({ head }) => head as unknown as Params);
    await send(on, keepHeadsSql(chain), columnArrays(chain.heads.columns, moved));
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
      return (await send(this.#pool, compiled.text, bind(compiled, params))).rows as Row[];
    } catch (error) {
      throw fromPostgres(error);
    }
  }
}

/**
 * A unit of work in its own transaction, with row locks. Inserts and set statements are sent with the next statement. Errors of pg are
 * passed on unchanged: the caller decides about retries.
 */
export class PostgresWork extends ScopedWork implements Work {
  readonly #client: ClientBase;
  readonly #inserts = new Map<TableShape, Params[]>();
  readonly #settles = new Map<GuardedShape, Params[]>();
  readonly #applied = new Map<SetShape, Params[]>();

  constructor(client: ClientBase, tenantId: string | null) {
    super(tenantId);
    this.#client = client;
  }

  async lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    const { sql, params } = selectStatement(table, this.owned(table, where), { limit: 1 }, true);
    return (await this.select<Row>(sql, params))[0] ?? null;
  }

  insert<Row>(table: Table<Row>, row: Row): void {
    push(this.#inserts, table, this.ownedRow(table, row));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    push(this.#settles, update, values as Params);
  }

  apply<Row>(statement: SetStatement<Row>, row: Row): void {
    push(this.#applied, statement, this.given(statement, row));
  }

  async advisoryLock(name: string): Promise<void> {
    await send(this.#client, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [WORK_LOCK, name]);
  }

  /** Sends the waiting writes, a statement per table and kind. A violated key or guard shows here. */
  async flush(): Promise<void> {
    for (const [table, rows] of this.#inserts) {
      this.#inserts.delete(table);
      await send(this.#client, insertManySql(table), columnArrays(table.columns, rows));
    }
    for (const [update, rows] of this.#settles) {
      this.#settles.delete(update);
      await settleAll(this.#client, update, rows);
    }
    for (const [statement, rows] of this.#applied) {
      this.#applied.delete(statement);
      await send(this.#client, setManySql(statement), columnArrays(Object.keys(statement.columns), rows));
    }
  }

  protected override async select<Row>(sql: string, params: Params): Promise<Row[]> {
    return (await this.#send(sql, params)).rows as Row[];
  }

  protected override async carryOut(sql: string, params: Params): Promise<number> {
    return (await this.#send(sql, params)).changed;
  }

  async #send(sql: string, params: Params) {
    await this.flush();
    const compiled = compile(sql, 'postgres');
    return send(this.#client, compiled.text, bind(compiled, params));
  }
}

function push<Key>(into: Map<Key, Params[]>, key: Key, row: Params): void {
  const rows = into.get(key);
  if (rows) rows.push(row);
  else into.set(key, [row]);
}

/** A batch that only remembers; the group of batches is sent as one statement per table. */
export class PostgresBatch extends TenantScope implements Writer {
  readonly late = new DeferredWrites();
  readonly inserts = new Map<TableShape, Params[]>();
  readonly settles = new Map<GuardedShape, Params[]>();
  readonly applied = new Map<SetShape, Params[]>();
  readonly told: (() => void)[] = [];

  insert<Row>(table: Table<Row>, row: Row): void {
    push(this.inserts, table, this.ownedRow(table, row));
  }

  guardedUpdate<Row>(update: GuardedUpdate<Row>, values: Where<Row>): void {
    push(this.settles, update, values as Params);
  }

  apply<Row>(statement: SetStatement<Row>, row: Row): void {
    push(this.applied, statement, this.given(statement, row));
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

async function settleAll(on: Queryable, update: GuardedShape, rows: readonly Params[]): Promise<void> {
  const sorted = [...rows].sort((left, right) => (String(left.id) < String(right.id) ? -1 : 1));
  const { changed } = await send(on, guardedManySql(update), columnArrays([...update.where, ...update.set], sorted));
  assert(changed <= rows.length, 'a guarded update names each row once');
  if (changed < rows.length) throw new LostRace(`${update.table.name}: a row is no longer ${update.guard}`);
}

/** Writes a group of batches on a client inside its transaction. Throws LostRace when any guard was false: the group must then be undone. */
export async function writeBatches(on: ClientBase, batches: readonly PostgresBatch[]): Promise<void> {
  for (const [table, rows] of together(batches, (batch) => batch.inserts))
    await send(on, insertManySql(table), columnArrays(table.columns, rows));
  for (const [update, rows] of together(batches, (batch) => batch.settles)) await settleAll(on, update, rows);
  for (const [statement, rows] of together(batches, (batch) => batch.applied))
    await send(on, setManySql(statement), columnArrays(Object.keys(statement.columns), rows));
  const late = new DeferredWrites();
  for (const batch of batches) late.merge(batch.late);
  await writeDeferred(on, late);
}
