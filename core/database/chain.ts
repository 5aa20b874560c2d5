import type { BulkShape, BulkStatement } from './statements.ts';
import type { Table, TableShape } from './table.ts';

/** End of a tenant's log: the number of its last row. */
export type LogHead = {
  tenant_id: string;
  n: number;
};

/** End of a log whose rows are linked by hashes: also the hash of the last row, and a seal over both. */
export type ChainHead = LogHead & {
  hash: string;
  seal: string;
};

export interface ChainRow {
  tenant_id: string;
  /** Position in the tenant's log, from 1 without gaps. */
  n: number;
}

/**
 * A log whose rows are numbered in the order of their commits, per tenant, and may be linked by hashes. Rows are written after all other writes of the
 * unit of work, because all units of work of a tenant share the row of the head, which is then locked only briefly.
 */
export interface Chain<Row extends ChainRow, Head extends LogHead, Follow = object> {
  readonly table: Table<Row>;
  readonly heads: Table<Head>;
  /** Returns the row linked to that head, and the next head. A head without rows has `n` 0. */
  link(head: Head, row: Row): { readonly row: Row; readonly head: Head };
  /** Returns the head of the last of the rows that are linked together, as it is saved. */
  seal?(head: Head): Head;
  /** A bulk statement that runs for each linked row while the head is locked, so that it sees every unit of work with a smaller number. */
  readonly follow?: { readonly statement: BulkStatement<Follow>; paramsOf(row: Row): Follow };
  /** A bulk statement that runs once for each block of consecutive numbers, in the commit of its last row. */
  readonly blocks?: LogBlocks;
}

/** A full block of a tenant's log. Block 0 has the numbers from 1 to the size of a block. */
export interface LogBlockRow {
  tenant_id: string;
  block: number;
}

interface LogBlocks {
  readonly size: number;
  readonly statement: BulkStatement<LogBlockRow>;
}

/** A chain without the type of its rows, as deferred writes keep it. */
export interface ChainShape {
  readonly table: TableShape;
  readonly heads: TableShape;
  link(head: never, row: never): { readonly row: object; readonly head: LogHead };
  seal?(head: never): LogHead;
  readonly follow?: { readonly statement: BulkShape; paramsOf(row: never): object };
  readonly blocks?: LogBlocks;
}

/** A chain of rows of a type, as writers accept it. */
export type ChainOf<Row> = ChainShape & { readonly table: Table<Row> };

/** Links rows to a head, in order. Returns the linked rows and the new head. */
export function linkAll(chain: ChainShape, head: LogHead, rows: readonly object[]): { rows: object[]; head: LogHead } {
  let last = head;
  const linked = rows.map((row) => {
    const next = chain.link(last as never, row as never);
    last = next.head;
    return next.row;
  });
  return { rows: linked, head: chain.seal?.(last as never) ?? last };
}

/** Returns the parameters of the statement that follows the linked rows. */
export const followingParams = (chain: ChainShape, rows: readonly object[]) =>
  rows.map((row) => chain.follow?.paramsOf(row as never)) as Record<string, string | number | null>[];

/** Returns the blocks that are filled while the head of a tenant's log moves. */
export function filledBlocks({ blocks }: ChainShape, before: LogHead, after: LogHead): LogBlockRow[] {
  if (blocks === undefined) return [];
  const first = Math.floor(before.n / blocks.size);
  const count = Math.floor(after.n / blocks.size) - first;
  return Array.from({ length: count }, (_, index) => ({ tenant_id: after.tenant_id, block: first + index }));
}

export const emptyHead = (tenantId: string): ChainHead => ({ tenant_id: tenantId, n: 0, hash: '', seal: '' });
