import type { Database } from '#core/database';
import { type Clock, isoTime } from '#core/kernel';
import type { DueRow, Job } from './job.ts';

/** Smallest step back that counts. Smaller ones occur when a clock is synchronized. */
export const STEP_MS = 2_000;
/** Columns with the time of the last change of a row, of which tables have some. */
const STAMPS = ['created_at', 'updated_at', 'concluded_at', 'last_attempt_at', 'last_inquiry_at'];
/** Columns that repeat the due time of a row. */
const REPEATED = ['retry_ms', 'scheduled_ms'];
const BLOCK = 200;

type AnyJob = Pick<Job<DueRow>, 'name' | 'table' | 'longestWaitMs' | 'nextDue'> & { readonly clock: 'tenant' | 'real' };
type Row = DueRow & Readonly<Record<string, string | number | null>>;

/** Detects that the computer's clock is set back. */
export class StepWatch {
  #offsetMs = Number.NEGATIVE_INFINITY;

  /** Returns true if the clock was set back since the last call. */
  check(): boolean {
    const before = this.#offsetMs;
    this.#offsetMs = Date.now() - performance.now();
    return this.#offsetMs < before - STEP_MS;
  }
}

/**
 * Corrects the due times that were calculated while the clock ran ahead, so that nothing waits for a time that never was. A row that was changed in the
 * future keeps its delay, counted from now; a row that no attempt has been made for is due immediately. Returns the number of corrected rows, and the latest time for which one of them waited.
 */
export async function correctDueTimes(
  { database, clockOf }: { readonly database: Database; readonly clockOf: (tenantId: string) => Clock },
  jobs: readonly AnyJob[],
): Promise<{ readonly rows: number; readonly latestMs: number }> {
  let corrected = 0;
  let latestMs = 0;
  for (const job of jobs.filter(({ nextDue }) => nextDue !== 'recorded')) {
    const { table } = job;
    const stamps = STAMPS.filter((name) => table.columns.includes(name as never));
    const repeated = REPEATED.filter((name) => table.columns.includes(name as never));
    const conditions = job.nextDue || job.longestWaitMs !== undefined ? ['due_ms > :latest'] : stamps.map((name) => `${name} > :since`);
    if (conditions.length === 0) continue;
    const free = `due_ms > :now AND lease_ms <= ${database.nowSql}`;
    const find = `SELECT ${table.columns.join(', ')} FROM ${table.name} WHERE ${free} AND (${conditions.join(' OR ')}) AND (tenant_id > :tenant OR (tenant_id = :tenant AND id > :id)) ORDER BY tenant_id, id LIMIT ${BLOCK}`;
    const set = ['due_ms', ...repeated].map((name) => `${name} = CASE WHEN ${name} = :was THEN CAST(:due AS BIGINT) ELSE ${name} END`);
    const update = `UPDATE ${table.name} SET ${set.join(', ')} WHERE tenant_id = :tenantId AND id = :id AND due_ms = :was AND lease_ms <= ${database.nowSql}`;
    let rows: Row[] = [];
    do {
      const last = rows.at(-1);
      const now = Date.now();
      const since = isoTime(now + STEP_MS);
      const params = { now, latest: now + (job.longestWaitMs ?? 0), since, tenant: last?.tenant_id ?? '', id: last?.id ?? '' };
      rows = await database.readAcrossTenants().all<Row>(find, params);
      for (const row of rows) {
        const due = await correctedDue(job, stamps, row, clockOf(row.tenant_id).now());
        if (due === null) continue;
        latestMs = Math.max(latestMs, Number(row.due_ms));
        const changed = { id: row.id, was: Number(row.due_ms), due };
        corrected += await database.unitOfWork.transaction(row.tenant_id, (work) => work.run(update, changed));
      }
    } while (rows.length === BLOCK);
  }
  return { rows: corrected, latestMs };
}

/** Returns the time at which a row should be due; null if its due time is correct. */
async function correctedDue(job: AnyJob, stamps: readonly string[], row: Row, tenantNow: number): Promise<number | null> {
  const now = job.clock === 'real' ? Date.now() : tenantNow;
  const due = Number(row.due_ms);
  if (typeof job.nextDue === 'function') {
    const next = await job.nextDue(row, now);
    return next !== null && next < due ? next : null;
  }
  if (job.longestWaitMs !== undefined) return due > now + job.longestWaitMs ? now : null;
  const changedAt = Math.max(...stamps.map((name) => (typeof row[name] === 'string' ? Date.parse(row[name]) : 0)));
  const aheadMs = changedAt - tenantNow;
  return aheadMs > STEP_MS && due > now ? Math.max(now, due - aheadMs) : null;
}
