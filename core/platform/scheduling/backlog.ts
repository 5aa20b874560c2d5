import type { Database } from '#core/database';
import { jobColumn, type TenantDue } from './claims.ts';
import type { DueRow, Job } from './job.ts';

/** Counting stops at this number. */
const COUNTED_MAX = 10_000;

/** Work of a job for all tenants. */
export interface JobBacklog {
  readonly job: string;
  /** Number of rows that are scheduled, running or due, up to 10,000. */
  readonly rows: number;
  /** Time for which the first free row has been due, in milliseconds; 0 if none is due, or while charges are on hold. */
  readonly lateMs: number;
}

interface BacklogJob {
  readonly job: Pick<Job<DueRow>, 'name' | 'table'>;
  readonly isHeld: boolean;
  readonly nowOf: (tenantId: string) => number;
}

/** Reads the backlog of each job from the indexes by which rows are claimed. @param dueByTenant The statement of `dueByTenantSql` for the same jobs. */
export async function readBacklogs(database: Database, jobs: readonly BacklogJob[], dueByTenant: string): Promise<JobBacklog[]> {
  const read = database.readAcrossTenants();
  const counts = jobs.map(
    ({ job: { name, table } }, index) =>
      `SELECT '${name}' AS job, count(*) AS n FROM (SELECT 1 AS one FROM ${table.name} WHERE due_ms IS NOT NULL LIMIT ${COUNTED_MAX}) AS q${index}`,
  );
  const [tenants, counted] = await Promise.all([
    read.all<TenantDue>(dueByTenant),
    read.all<{ readonly job: string; readonly n: number }>(counts.join(' UNION ALL ')),
  ]);
  const rowsOf = new Map(counted.map(({ job, n }) => [job, Number(n)]));
  return jobs.map(({ job, isHeld, nowOf }, index) => {
    const late = tenants.map((row) => {
      const due = row[jobColumn(index)];
      return isHeld || due === null || due === undefined ? 0 : nowOf(row.tenant_id) - Number(due);
    });
    return { job: job.name, rows: rowsOf.get(job.name) ?? 0, lateMs: late.reduce((most, each) => Math.max(most, each), 0) };
  });
}
