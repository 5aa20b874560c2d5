import { assert } from '#core/kernel';
import type { DueRow } from './job.ts';
import { isOnHold, nowOf, type Registration, registrationOf, type Scheduling } from './scheduling.ts';
import { holderOf } from './takeover.ts';

export async function claimRows(
  scheduler: Scheduling,
  registration: Registration,
  tenantId: string,
  lane: string,
  freeSlots: number,
): Promise<DueRow[]> {
  const params = {
    dueBy: nowOf(scheduler, registration, tenantId),
    room: freeSlots,
    holder: holderOf(scheduler.database),
    ...(registration.job.lane ? { lane } : {}),
  };
  const rows = await scheduler.database.unitOfWork.transaction(tenantId, (work) => work.all<DueRow>(registration.sql.claim, params));
  // RETURNING does not preserve the order.
  return rows.sort((leftMs, right) => (leftMs.due_ms ?? 0) - (right.due_ms ?? 0) || (leftMs.id < right.id ? -1 : 1));
}

async function claimOne(scheduler: Scheduling, registration: Registration, tenantId: string, id: string): Promise<DueRow | null> {
  const params = { id, dueBy: nowOf(scheduler, registration, tenantId), holder: holderOf(scheduler.database) };
  const [row] = await scheduler.database.unitOfWork.transaction(tenantId, (work) => work.all<DueRow>(registration.sql.claimOne, params));
  return row ?? null;
}

/** Runs a claimed row. A failure is logged, and the row stays claimed until its lease ends. */
export async function runRow(scheduler: Scheduling, registration: Registration, row: DueRow): Promise<string> {
  const run = registration.job.run(row).catch((cause: unknown) => {
    scheduler.report('A job failed. It will be retried', { job: registration.job.name, id: row.id, cause });
    return 'error';
  });
  const running = scheduler.runningRows.get(row.tenant_id) ?? new Set();
  scheduler.runningRows.set(row.tenant_id, running.add(run));
  try {
    const result = await run;
    scheduler.lastRuns.record(registration.job.name, row.tenant_id, result === 'error');
    return result;
  } finally {
    running.delete(run);
    if (running.size === 0) scheduler.runningRows.delete(row.tenant_id);
  }
}

/** Runs the due rows of one job and one tenant in order and returns their results. */
export async function runDue(scheduler: Scheduling, name: string, tenantId: string): Promise<string[]> {
  const registration = registrationOf(scheduler, name);
  assert(!registration.job.lane, 'only a job without lanes can be run for one tenant');
  const results: string[] = [];
  if (await isOnHold(scheduler, registration)) return results;
  for (;;) {
    const [row] = await claimRows(scheduler, registration, tenantId, '', 1);
    if (!row) return results;
    results.push(await runRow(scheduler, registration, row));
  }
}

/** Runs one row of a job if it is due and free, and returns its result; otherwise null. */
export async function runOne(scheduler: Scheduling, name: string, tenantId: string, id: string): Promise<string | null> {
  const registration = registrationOf(scheduler, name);
  const row = (await isOnHold(scheduler, registration)) ? null : await claimOne(scheduler, registration, tenantId, id);
  return row && runRow(scheduler, registration, row);
}
