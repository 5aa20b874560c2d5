import type { Table, TableShape } from '#core/database';
import type { RealTime, TenantTime } from '#core/kernel';

/** The columns of a table whose rows fall due. */
export interface DueRow {
  tenant_id: string;
  id: string;
  /** Time at which the row is due; null if it is not scheduled. */
  due_ms: number | null;
  /** Database time in milliseconds until which the row is claimed; 0 if it is free. */
  lease_ms: number;
  /** Rises with each claim: a holder that slept past its lease finds that its number is no longer the row's. */
  fence: number;
}

/** Results of a job that the test clock reports (decisions 5). */
export type Counted = 'webhooks' | 'refundRetries' | 'subscriptions' | 'invoices' | 'settlements' | 'expirations';

/**
 * Work that falls due, as rows of a capability's own table. `run` gets a claimed row and must move it on in a unit of work guarded by its
 * fence: a later `due_ms` or null, and `lease_ms` 0. When it throws, the lease runs out and the row is tried again; it must bear running twice.
 */
export interface Job<Row extends DueRow> {
  readonly name: string;
  readonly table: Table<Row>;
  /** Clock of `due_ms`: the tenant's time or real time. */
  readonly clock: Row['due_ms'] extends RealTime | null ? 'real' : 'tenant';
  readonly counts?: Counted;
  /** True if the job moves money at a processor by itself, so that it waits while charges are on hold. */
  readonly charges?: true;
  /** Largest number of rows that this process runs in parallel. */
  readonly atOnce: number;
  /** Rows with a common limit, so that one slow peer does not block the others: a column, and the table whose `key` lists its values. */
  readonly lane?: { readonly column: keyof Row & string; readonly of: TableShape; readonly key: string; readonly atOnce: number };
  readonly leaseMs: number;
  /** Returns the name of the result; `skipped` if there was nothing to do. */
  readonly run: (row: Row) => Promise<string>;
}

/** Columns of a released row that waits for `due_ms`. */
export const released = <Due extends TenantTime | RealTime | null>(due: Due) => ({ due_ms: due, lease_ms: 0 });

/** Columns of a new due row. */
export const dueAt = <Due extends TenantTime | RealTime | null>(due: Due) => ({ due_ms: due, lease_ms: 0, fence: 0 });
