import { assert } from '#core/kernel';
import type { ChainOf, ChainRow } from './chain.ts';
import { DeferredWrites } from './deferred-writes.ts';
import { type Query, statementOf } from './queries.ts';
import { changesCounts, countRow, recountRow } from './row-counts.ts';
import {
  type BulkStatement,
  deleteStatement,
  type FindOptions,
  type Params,
  selectStatement,
  updateStatement,
  type Where,
} from './statements.ts';
import type { Table } from './table.ts';
import type { Read } from './work.ts';

/**
 * Adds the tenant to every statement of a tenant's Read, Work or Batch, so that it cannot be forgotten: rows and conditions get
 * `tenant_id`, and hand-written SQL must name `:tenantId`.
 */
export class TenantScope {
  readonly tenantId: string | null;

  constructor(tenantId: string | null) {
    this.tenantId = tenantId;
  }

  protected scopedWhere<Row>(table: Table<Row>, where: Where<Row>): Where<Row> {
    if (this.tenantId === null || !table.tenantScoped) return where;
    return { ...where, tenant_id: this.tenantId };
  }

  protected checkedRow<Row>(table: Table<Row>, row: Row): Params {
    const tenantId = (row as { tenant_id?: unknown }).tenant_id;
    // The message is created for a failure only.
    if (table.tenantScoped && this.tenantId !== null && tenantId !== this.tenantId)
      assert(false, `a row of ${table.name} belongs to the tenant of the work`);
    return row as Params;
  }

  /** Returns the tenant of a log's row, which must be the tenant of the work. */
  protected checkedTenant(row: { tenant_id: string }): string {
    assert(this.tenantId === null || row.tenant_id === this.tenantId, 'a row of a log belongs to the tenant of the work');
    return row.tenant_id;
  }

  /** Returns the row of a bulk statement, which must name the tenant of the work. */
  protected checkedBulkRow<Row>(statement: BulkStatement<Row>, row: Row): Params {
    assert('tenant_id' in statement.columns, 'a bulk statement names the tenant');
    assert(
      this.tenantId === null || (row as Params).tenant_id === this.tenantId,
      'a row of a bulk statement belongs to the tenant of the work',
    );
    return row as Params;
  }

  protected params(sql: string, params: Params): Params {
    if (this.tenantId === null) return params;
    assert(sql.includes(':tenantId'), 'a statement of a tenant names :tenantId');
    return { ...params, tenantId: this.tenantId };
  }
}

/** Builds the statements of a Read; subclasses run them on their connection. */
export abstract class ScopedRead extends TenantScope implements Read {
  get heavy(): Read {
    return this;
  }

  protected abstract select<Row>(sql: string, params: Params): Promise<Row[]>;

  async one<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null> {
    return (await this.find(table, where, { limit: 1 }))[0] ?? null;
  }

  async find<Row>(table: Table<Row>, where: Where<Row>, options: FindOptions<Row> = {}): Promise<Row[]> {
    const { sql, params } = selectStatement(table, this.scopedWhere(table, where), options);
    return this.select<Row>(sql, params);
  }

  rows<Row>(query: Query<Row>, given: Params = {}): Promise<Row[]> {
    const { sql, params } = statementOf(query);
    return this.select<Row>(sql, this.params(sql, { ...params, ...given }));
  }

  async row<Row>(query: Query<Row>, given: Params = {}): Promise<Row | null> {
    return (await this.rows(query, given))[0] ?? null;
  }

  async all<Row>(sql: string, params: Params = {}): Promise<Row[]> {
    return this.select<Row>(sql, this.params(sql, params));
  }
}

/** Writes that are the same for both databases. */
export abstract class ScopedWork extends ScopedRead {
  readonly deferredWrites = new DeferredWrites();
  readonly afterCommitCallbacks: (() => void)[] = [];

  /** Runs a changing statement and returns the number of changed rows. */
  protected abstract executeSql(sql: string, params: Params): Promise<number>;

  abstract lockOne<Row>(table: Table<Row>, where: Where<Row>): Promise<Row | null>;

  async update<Row>(table: Table<Row>, where: Where<Row>, set: Where<Row>): Promise<number> {
    const { sql, params } = updateStatement(table, this.scopedWhere(table, where), set);
    if (!changesCounts(table, set)) return this.executeSql(sql, params);
    assert('id' in where, `an update of ${table.name} that changes its counts is of one row`);
    const before = await this.lockOne(table, where);
    if (before === null) return 0;
    const changes = Object.entries(set).filter(([, value]) => value !== undefined);
    recountRow(this, table, before as object, { ...before, ...Object.fromEntries(changes) });
    return this.executeSql(sql, params);
  }

  async delete<Row>(table: Table<Row>, where: Where<Row>): Promise<number> {
    const { sql, params } = deleteStatement(table, this.scopedWhere(table, where));
    if (table.counts === undefined) return this.executeSql(sql, params);
    const deleted = await this.select<object>(`${sql} RETURNING ${table.columns.join(', ')}`, params);
    for (const row of deleted) countRow(this, table, row, -1);
    return deleted.length;
  }

  execute(query: Query<unknown>, given: Params = {}): Promise<number> {
    const { sql, params } = statementOf(query);
    return this.run(sql, { ...params, ...given });
  }

  async run(sql: string, params: Params = {}): Promise<number> {
    return this.executeSql(sql, this.params(sql, params));
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
