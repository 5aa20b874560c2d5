import type { Table, TableShape } from './table.ts';

/** End of a tenant's log: number of rows, hash of the last row, and a seal over both. */
export interface ChainHead {
  tenant_id: string;
  n: number;
  hash: string;
  seal: string;
}

export interface ChainRow {
  tenant_id: string;
  /** Position in the tenant's log, from 1 without gaps. */
  n: number;
}

/**
 * A log whose rows are linked by hashes, one chain per tenant. Rows are linked after all other writes of the unit of work, because all units of
 * work of a tenant share the row of the head, which is then locked only briefly.
 */
export interface Chain<Row extends ChainRow> {
  readonly table: Table<Row>;
  readonly heads: Table<ChainHead>;
  /** Returns the row linked to that head, and the next head. A head without rows has `n` 0. */
  link(head: ChainHead, row: Row): { readonly row: Row; readonly head: ChainHead };
}

/** A chain without the type of its rows, as deferred writes keep it. */
export interface ChainShape {
  readonly table: TableShape;
  readonly heads: TableShape;
  link(head: ChainHead, row: never): { readonly row: object; readonly head: ChainHead };
}

/** Links rows to a head, in order. Returns the linked rows and the new head. */
export function linkAll(chain: ChainShape, head: ChainHead, rows: readonly object[]): { rows: object[]; head: ChainHead } {
  let last = head;
  const linked = rows.map((row) => {
    const next = chain.link(last, row as never);
    last = next.head;
    return next.row;
  });
  return { rows: linked, head: last };
}

export const emptyHead = (tenantId: string): ChainHead => ({ tenant_id: tenantId, n: 0, hash: '', seal: '' });
