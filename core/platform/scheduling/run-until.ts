import type { Database } from '#core/database';
import type { LaneDue } from './claims.ts';
import type { CountedResult } from './job.ts';
import { type FirstDueRow, firstDueSql } from './job-status.ts';

/** Rows of one job that run in parallel. */
const PARALLEL_MAX = 32;
/** Time for which rows may make others due at the same time of the clock, such as a payment its events, before the clock advances. */
const SAME_TIME_MAX_MS = 1_000;

/** Result of a move of a tenant's clock. */
export interface MoveResult {
  readonly ran: Readonly<Record<CountedResult, number>>;
  /** False if rows are still due at the new time. They run as usual. */
  readonly isComplete: boolean;
}

interface MovingJob {
  readonly name: string;
  readonly countedAs?: CountedResult | undefined;
  readonly concurrency: number;
  readonly hasLanes: boolean;
  readonly firstDueOfTenant: string;
  readonly table: { readonly name: string };
  /** Claims rows that are due, and runs them in parallel. Returns their results. */
  runClaimed(lane: string, rows: number): Promise<readonly string[]>;
}

export interface Move {
  readonly database: Database;
  readonly tenantId: string;
  readonly toMs: number;
  readonly setClock: (ms: number) => Promise<void>;
  /** Time after which the clock is set to its target and the remaining rows are left to the scheduler. */
  readonly maxMs: number;
  /** Jobs of the tenant's clock, in the order in which rows with the same due time run. */
  readonly jobs: readonly MovingJob[];
}

/**
 * Runs the rows of a tenant in order of due time, with the clock set to each due time; those of one job and time in parallel. Other requests may make
 * rows due meanwhile. So once the rows that were due when the clock reached a time have run, the clock advances after a second, and the whole move ends after
 * `maxMs`.
 */
export async function runJobsUntil({ database, tenantId, toMs, setClock, maxMs, jobs }: Move): Promise<MoveResult> {
  const ran: Record<CountedResult, number> = {
    webhooks: 0,
    refundRetries: 0,
    subscriptions: 0,
    invoices: 0,
    settlements: 0,
    expirations: 0,
  };
  const first = firstDueSql(database, jobs, false);
  const firstLater = firstDueSql(database, jobs, true);
  const counts = jobs.map(
    ({ table }) =>
      `(SELECT count(*) FROM ${table.name} d WHERE d.tenant_id = :tenantId AND d.due_ms <= :atMs AND d.lease_ms <= ${database.nowSql})`,
  );
  const count = `SELECT ${counts.join(' + ')} AS n`;
  const firstDue = async (afterMs: number | null): Promise<readonly FirstDueRow[]> => {
    const found = await (afterMs === null
      ? database.read(tenantId).all<FirstDueRow>(first)
      : database.read(tenantId).all<FirstDueRow>(firstLater, { afterMs }));
    return found.filter(({ due_ms }) => due_ms <= toMs);
  };
  /** Runs rows of the jobs that are due. Returns the number of rows. */
  const runAt = async (due: readonly FirstDueRow[], clockMs: number): Promise<number> => {
    let rowsRun = 0;
    const names = new Set(due.filter(({ due_ms }) => due_ms <= clockMs).map(({ job }) => job));
    for (const job of jobs.filter(({ name }) => names.has(name))) {
      const lanes = job.hasLanes ? await database.read(tenantId).all<LaneDue>(job.firstDueOfTenant) : [{ lane: '', due_ms: clockMs }];
      const isDue = ({ due_ms }: Pick<LaneDue, 'due_ms'>) => due_ms !== null && due_ms <= clockMs;
      const rows = Math.min(job.concurrency, PARALLEL_MAX);
      const results = (await Promise.all(lanes.filter(isDue).map(({ lane }) => job.runClaimed(lane, rows)))).flat();
      if (job.countedAs) ran[job.countedAs] += results.filter((result) => result !== 'skipped').length;
      rowsRun += results.length;
    }
    return rowsRun;
  };
  const endsAt = performance.now() + maxMs;
  let clockMs = Number.NEGATIVE_INFINITY;
  let sinceMs = performance.now();
  /** Rows that were due when the clock reached its present time, and have not run. */
  let rowsLeft = 0;
  for (;;) {
    const isLate = rowsLeft <= 0 && performance.now() - sinceMs > SAME_TIME_MAX_MS;
    const due = await firstDue(isLate ? clockMs : null);
    if (due.length === 0) {
      const isComplete = !isLate || (await firstDue(null)).length === 0;
      await setClock(toMs);
      return { ran, isComplete };
    }
    if (performance.now() > endsAt) {
      await setClock(toMs);
      return { ran, isComplete: false };
    }
    const next = Math.min(...due.map(({ due_ms }) => due_ms));
    if (next > clockMs) {
      clockMs = next;
      sinceMs = performance.now();
      await setClock(clockMs);
      const [counted] = await database.read(tenantId).all<{ n: number }>(count, { atMs: clockMs });
      rowsLeft = Number(counted?.n ?? 0);
    }
    rowsLeft -= await runAt(due, clockMs);
  }
}
