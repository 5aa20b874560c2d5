import type { Database } from '#core/database';
import { isoTime, type ProcessExchange } from '#core/kernel';
import type { DueRow, Job } from './job.ts';
import type { JobStatus } from './records.ts';

/**
 * Age after which a due row that no server has claimed counts as overdue. A server that has just started is still catching up, so it reports
 * nothing as overdue.
 */
const OVERDUE_MS = 60_000;

interface LastRun {
  readonly atMs: number;
  readonly failed: boolean;
}

const TOPIC = 'job-runs';

/** The last run of each job and tenant in the processes of this server. */
export class LastRuns {
  readonly #processes: ProcessExchange;
  /** Runs in this process by tenant and job. */
  readonly #runs = new Map<string, Map<string, LastRun>>();

  constructor(processes: ProcessExchange) {
    this.#processes = processes;
    processes.respond<string>(TOPIC, (tenantId) => [...(this.#runs.get(tenantId) ?? [])]);
  }

  record(job: string, tenantId: string, failed: boolean): void {
    const runs = this.#runs.get(tenantId) ?? new Map<string, LastRun>();
    this.#runs.set(tenantId, runs.set(job, { atMs: Date.now(), failed }));
  }

  /** Returns the last run of each job for a tenant. */
  async of(tenantId: string): Promise<ReadonlyMap<string, LastRun>> {
    const found = new Map(this.#runs.get(tenantId));
    for (const { data } of await this.#processes.request<readonly [string, LastRun][]>(TOPIC, tenantId))
      for (const [job, run] of data ?? []) if (run.atMs >= (found.get(job)?.atMs ?? 0)) found.set(job, run);
    return found;
  }
}

/** The first free row of a job, by due time. */
export interface FirstDueRow {
  readonly job: string;
  readonly id: string;
  readonly due_ms: number;
}

/**
 * SQL that returns a `FirstRow` of each job that has one, in one statement over the indexes by which rows are claimed. @param isLater Only rows that are due
 * after `:afterMs`.
 */
export function firstDueSql(
  database: Database,
  jobs: readonly { readonly name: string; readonly table: { readonly name: string } }[],
  isLater = false,
): string {
  const later = isLater ? 'AND d.due_ms > :afterMs' : '';
  return jobs
    .map(
      ({ name, table }, n) =>
        `SELECT '${name}' AS job, id, due_ms FROM (SELECT d.id, d.due_ms FROM ${table.name} d WHERE d.tenant_id = :tenantId AND d.due_ms IS NOT NULL ${later} AND d.lease_ms <= ${database.nowSql} ORDER BY d.due_ms, d.id LIMIT 1) AS q${n}`,
    )
    .join(' UNION ALL ');
}

interface StatusOptions {
  readonly job: Pick<Job<DueRow>, 'name'>;
  readonly dueMs: number | null;
  readonly nowMs: number;
  /** Time since this server started to look for due work. */
  readonly runningMs: number;
  readonly isHeld: boolean;
  readonly last: LastRun | undefined;
}

export function jobStatus({ job, dueMs, nowMs, runningMs, isHeld, last }: StatusOptions): JobStatus {
  return {
    name: job.name,
    nextAt: dueMs === null ? null : isoTime(dueMs),
    isOverdue: !isHeld && runningMs > OVERDUE_MS && dueMs !== null && nowMs - dueMs > OVERDUE_MS,
    isHeld: isHeld && dueMs !== null,
    lastAt: last ? isoTime(last.atMs) : null,
    lastFailed: last?.failed ?? false,
  };
}
