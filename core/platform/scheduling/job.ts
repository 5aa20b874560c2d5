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
  /** Fencing number, which each claim increments. A server whose lease has expired detects by it that another one has claimed the row. */
  fence: number;
}

/** Results of a job that the test clock reports. */
export type CountedResult = 'webhooks' | 'refundRetries' | 'subscriptions' | 'invoices' | 'settlements' | 'expirations';

/**
 * Scheduled work, as rows of a table of a capability. `run` gets a claimed row and must release it in a unit of work guarded by its fence: with a
 * later `due_ms` or null, and `lease_ms` 0. If it throws, the row is run again after the lease ends, so running a row twice must be safe.
 */
export interface Job<Row extends DueRow> {
  readonly name: string;
  readonly table: Table<Row>;
  /** Clock of `due_ms`: the tenant's time or real time. */
  readonly clock: Row['due_ms'] extends RealTime | null ? 'real' : 'tenant';
  readonly countedAs?: CountedResult;
  /** True if the job moves money at a processor or demands it from payers automatically, so that it waits while charges are on hold. */
  readonly charges?: true;
  /** Maximum number of rows that this process runs in parallel. */
  readonly concurrency: number;
  /** Groups rows by a column into lanes with a limit each, so that one slow peer does not block the others. `of` is the table whose `key` lists the values. */
  readonly lane?: { readonly column: keyof Row & string; readonly of: TableShape; readonly key: string; readonly concurrency: number };
  readonly leaseMs: number;
  /**
   * Longest time for which a row without a time of its last change waits. If it waits longer, the clock ran ahead when its due time was calculated, and it
   * is due immediately.
   */
  readonly longestWaitMs?: number;
  /**
   * Next due time from now on, of rows that are due at times of a calendar. `recorded`: a date of the record, which stays if the clock ran ahead when it
   * was recorded: a payment is never made before its date.
   */
  readonly nextDue?: 'recorded' | ((row: Row, nowMs: number) => Promise<number | null>);
  /** Returns the name of the result; `skipped` if there was nothing to do. */
  readonly run: (row: Row) => Promise<string>;
}

/** Columns of a released row that waits for `due_ms`. */
export const released = <Due extends TenantTime | RealTime | null>(due: Due) => ({ due_ms: due, lease_ms: 0 });

/** Columns of a new due row. */
export const dueAt = <Due extends TenantTime | RealTime | null>(due: Due) => ({ due_ms: due, lease_ms: 0, fence: 0 });
