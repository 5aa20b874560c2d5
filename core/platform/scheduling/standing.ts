import type { Database } from '#core/database';
import { isoTime } from '#core/kernel';
import type { DueRow, Job } from './job.ts';

/** What is due this long and in nobody's hands was forgotten, or there is more than the server can do. A server that has just begun is catching up. */
const OVERDUE_MS = 60_000;

/** How a job stands for a tenant. */
export interface JobStanding {
  readonly name: string;
  /** When its next row falls due; null while nothing waits. */
  readonly nextAt: string | null;
  readonly isOverdue: boolean;
  /** It waits since the installation came from a backup and nobody has let charges go on. */
  readonly isHeld: boolean;
  /** When this server last ran it for the tenant, in real time; null where it has not since its start. */
  readonly lastAt: string | null;
  /** Whether that run broke off. */
  readonly lastFailed: boolean;
}

/** The runs of this process, the last of each job and tenant. */
export class LastRuns {
  readonly #runs = new Map<string, { readonly atMs: number; readonly failed: boolean }>();

  note(job: string, tenantId: string, failed: boolean): void {
    this.#runs.set(`${job}/${tenantId}`, { atMs: Date.now(), failed });
  }

  of(job: string, tenantId: string) {
    return this.#runs.get(`${job}/${tenantId}`);
  }
}

/** The first free row of a job. */
export interface FirstRow {
  readonly job: string;
  readonly id: string;
  readonly due_ms: number;
}

/** SQL that returns a `FirstRow` of each job that has one, in one statement over the indexes by which rows are claimed. */
export function firstsSql(database: Database, jobs: readonly Pick<Job<DueRow>, 'name' | 'table'>[]): string {
  return jobs
    .map(
      ({ name, table }, n) =>
        `SELECT '${name}' AS job, id, due_ms FROM (SELECT d.id, d.due_ms FROM ${table.name} d WHERE d.tenant_id = :tenantId AND d.due_ms IS NOT NULL AND d.lease_ms <= ${database.nowSql} ORDER BY d.due_ms, d.id LIMIT 1) AS q${n}`,
    )
    .join(' UNION ALL ');
}

interface StandingOf {
  readonly job: Pick<Job<DueRow>, 'name'>;
  readonly dueMs: number | null;
  readonly nowMs: number;
  /** How long this server has been looking for due work. */
  readonly runningMs: number;
  readonly isHeld: boolean;
  readonly last: { readonly atMs: number; readonly failed: boolean } | undefined;
}

export function standingOf({ job, dueMs, nowMs, runningMs, isHeld, last }: StandingOf): JobStanding {
  return {
    name: job.name,
    nextAt: dueMs === null ? null : isoTime(dueMs),
    isOverdue: !isHeld && runningMs > OVERDUE_MS && dueMs !== null && nowMs - dueMs > OVERDUE_MS,
    isHeld: isHeld && dueMs !== null,
    lastAt: last ? isoTime(last.atMs) : null,
    lastFailed: last?.failed ?? false,
  };
}
