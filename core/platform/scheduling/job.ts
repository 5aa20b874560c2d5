import type { Table, TableShape } from '#core/database';
import type { RealTime, TenantTime } from '#core/kernel';

/** The columns of a table whose rows fall due. */
export interface DueRow {
  tenant_id: string;
  id: string;
  /** When there is something to do; null while there is not. */
  due_ms: number | null;
  /** Database time in milliseconds until which whoever claimed the row has it; 0 when free. */
  lease_ms: number;
  /** Rises with each claim: a holder that slept past its lease finds that its number is no longer the row's. */
  fence: number;
}

/** What the test clock tells that it ran (decisions 5). */
export type Counted = 'webhooks' | 'refundRetries' | 'subscriptions' | 'invoices' | 'settlements' | 'expirations';

/**
 * Work that falls due, as rows of a capability's own table. `run` gets a claimed row and must move it on in a unit of work guarded by its
 * fence: a later `due_ms` or null, and `lease_ms` 0. When it throws, the lease runs out and the row is tried again; it must bear running twice.
 */
export interface Job<Row extends DueRow> {
  readonly name: string;
  readonly table: Table<Row>;
  /** Whether `due_ms` is the tenant's time or real time. */
  readonly clock: Row['due_ms'] extends RealTime | null ? 'real' : 'tenant';
  readonly counts?: Counted;
  /** Moves money at a processor by itself: it waits while charges are held. */
  readonly charges?: true;
  /** Rows at work at once in this process. */
  readonly atOnce: number;
  /** What shares a bound of its own, so that one slow peer leaves room for the others: a column, and the table whose `key` lists its values. */
  readonly lane?: { readonly column: keyof Row & string; readonly of: TableShape; readonly key: string; readonly atOnce: number };
  readonly leaseMs: number;
  /** Answers a word for what became of it; `skipped` when there was nothing to do after all. */
  readonly run: (row: Row) => Promise<string>;
}

/** A row given back to wait for `due_ms`. */
export const released = <Due extends TenantTime | RealTime | null>(due: Due) => ({ due_ms: due, lease_ms: 0 });

/** A due row as it is first written. */
export const dueAt = <Due extends TenantTime | RealTime | null>(due: Due) => ({ due_ms: due, lease_ms: 0, fence: 0 });
