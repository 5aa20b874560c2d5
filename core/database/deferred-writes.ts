import type { ChainShape } from './chain.ts';
import type { BulkShape, Params } from './statements.ts';
import type { TableShape } from './table.ts';

interface CounterChange {
  readonly table: TableShape;
  readonly key: Params;
  delta: number;
}

/**
 * Deferred statements, counter changes (summed per counter row) and rows of linked logs of one unit of work or of a whole group. They are written
 * last and in a fixed order, because many units of work share the rows of counters and of the heads of logs: locks that are taken last are short,
 * and locks that are taken in order cannot deadlock.
 */
export class DeferredWrites {
  readonly #counterChanges = new Map<string, CounterChange>();
  readonly #chains = new Map<ChainShape, Map<string, object[]>>();
  readonly #deferred = new Map<BulkShape, Params[]>();

  defer(statement: BulkShape, ...rows: Params[]): void {
    const known = this.#deferred.get(statement);
    if (known) known.push(...rows);
    else this.#deferred.set(statement, [...rows]);
  }

  count(table: TableShape, key: Params, delta: number): void {
    let name = table.name;
    for (const column of table.key) name += `\u0001${key[column]}`;
    this.#count(name, table, key, delta);
  }

  #count(name: string, table: TableShape, key: Params, delta: number): void {
    const change = this.#counterChanges.get(name);
    if (change) change.delta += delta;
    else this.#counterChanges.set(name, { table, key, delta });
  }

  append(chain: ChainShape, tenantId: string, ...rows: object[]): void {
    let rowsByTenant = this.#chains.get(chain);
    if (!rowsByTenant) {
      rowsByTenant = new Map();
      this.#chains.set(chain, rowsByTenant);
    }
    const known = rowsByTenant.get(tenantId);
    if (known) known.push(...rows);
    else rowsByTenant.set(tenantId, [...rows]);
  }

  merge(other: DeferredWrites): void {
    for (const [statement, rows] of other.#deferred) this.defer(statement, ...rows);
    for (const [name, { table, key, delta }] of other.#counterChanges) this.#count(name, table, key, delta);
    for (const [chain, byTenant] of other.#chains) for (const [tenantId, rows] of byTenant) this.append(chain, tenantId, ...rows);
  }

  /** Returns the deferred statements with their rows, in the order in which the statements were first deferred. */
  deferred(): ReadonlyMap<BulkShape, readonly Params[]> {
    return this.#deferred;
  }

  /** Returns the counter rows to add, by table and in the order of their keys. */
  counters(): Map<TableShape, Params[]> {
    const byTable = new Map<TableShape, Params[]>();
    for (const [, { table, key, delta }] of [...this.#counterChanges].sort(([left], [right]) => (left < right ? -1 : 1))) {
      if (delta === 0) continue;
      const rows = byTable.get(table) ?? [];
      rows.push({ ...key, n: delta });
      byTable.set(table, rows);
    }
    return byTable;
  }

  /**
   * Returns the rows to link, by log and in the order of their tenants. Logs with a statement that follows come first, because units of work that read
   * such a log to its end lock its head before their own writes.
   */
  chains(): readonly (readonly [ChainShape, readonly (readonly [tenantId: string, rows: readonly object[]])[]])[] {
    return [...this.#chains]
      .sort(([left], [right]) => Number(!left.follow) - Number(!right.follow) || (left.table.name < right.table.name ? -1 : 1))
      .map(([chain, byTenant]) => [chain, [...byTenant].sort(([left], [right]) => (left < right ? -1 : 1))]);
  }
}
