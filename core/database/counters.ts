import type { Params } from './statements.ts';
import type { TableShape } from './table.ts';

interface Entry {
  readonly table: TableShape;
  readonly key: Params;
  delta: number;
}

/**
 * Counter changes of a work or of a whole group, summed per counter row. They are written last and in one order, because
 * counters are the rows that many works share: late locks are short, and ordered locks cannot deadlock.
 */
export class Counters {
  readonly #entries = new Map<string, Entry>();

  add(table: TableShape, key: Params, delta: number): void {
    const name = `${table.name}\u0001${table.key.map((column) => key[column]).join('\u0001')}`;
    const entry = this.#entries.get(name);
    if (entry) entry.delta += delta;
    else this.#entries.set(name, { table, key, delta });
  }

  merge(other: Counters): void {
    for (const { table, key, delta } of other.#entries.values()) this.add(table, key, delta);
  }

  /** The rows to add, by table and in the order of their keys. */
  rows(): Map<TableShape, Params[]> {
    const byTable = new Map<TableShape, Params[]>();
    for (const [, { table, key, delta }] of [...this.#entries].sort(([left], [right]) => (left < right ? -1 : 1))) {
      if (delta === 0) continue;
      const rows = byTable.get(table) ?? [];
      rows.push({ ...key, n: delta });
      byTable.set(table, rows);
    }
    return byTable;
  }
}
