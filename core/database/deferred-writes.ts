import type { ChainShape } from './chain.ts';
import type { Params, SetShape } from './statements.ts';
import type { TableShape } from './table.ts';

interface Entry {
  readonly table: TableShape;
  readonly key: Params;
  delta: number;
}

/**
 * Deferred statements and counter changes of a work or of a whole group, the latter summed per counter row, and rows of linked logs. They are written last and in one order,
 * because counters and heads of logs are the rows that many works share: late locks are short, and ordered locks cannot deadlock.
 */
export class DeferredWrites {
  readonly #entries = new Map<string, Entry>();
  readonly #chains = new Map<ChainShape, Map<string, object[]>>();
  readonly #deferred = new Map<SetShape, Params[]>();

  defer(statement: SetShape, ...rows: Params[]): void {
    const known = this.#deferred.get(statement);
    if (known) known.push(...rows);
    else this.#deferred.set(statement, [...rows]);
  }

  count(table: TableShape, key: Params, delta: number): void {
    const name = `${table.name}\u0001${table.key.map((column) => key[column]).join('\u0001')}`;
    const entry = this.#entries.get(name);
    if (entry) entry.delta += delta;
    else this.#entries.set(name, { table, key, delta });
  }

  append(chain: ChainShape, tenantId: string, ...rows: object[]): void {
    let ofChain = this.#chains.get(chain);
    if (!ofChain) {
      ofChain = new Map();
      this.#chains.set(chain, ofChain);
    }
    const known = ofChain.get(tenantId);
    if (known) known.push(...rows);
    else ofChain.set(tenantId, [...rows]);
  }

  merge(other: DeferredWrites): void {
    for (const [statement, rows] of other.#deferred) this.defer(statement, ...rows);
    for (const { table, key, delta } of other.#entries.values()) this.count(table, key, delta);
    for (const [chain, byTenant] of other.#chains) for (const [tenantId, rows] of byTenant) this.append(chain, tenantId, ...rows);
  }

  /** Returns the deferred statements with their rows, in the order in which the statements were first deferred. */
  deferred(): ReadonlyMap<SetShape, readonly Params[]> {
    return this.#deferred;
  }

  /** The counter rows to add, by table and in the order of their keys. */
  counters(): Map<TableShape, Params[]> {
    const byTable = new Map<TableShape, Params[]>();
    for (const [, { table, key, delta }] of [...this.#entries].sort(([left], [right]) => (left < right ? -1 : 1))) {
      if (delta === 0) continue;
      const rows = byTable.get(table) ?? [];
      rows.push({ ...key, n: delta });
      byTable.set(table, rows);
    }
    return byTable;
  }

  /** The rows to link, by log and in the order of their tenants. */
  chains(): readonly (readonly [ChainShape, readonly (readonly [tenantId: string, rows: readonly object[]])[]])[] {
    return [...this.#chains].map(([chain, byTenant]) => [chain, [...byTenant].sort(([left], [right]) => (left < right ? -1 : 1))]);
  }
}
