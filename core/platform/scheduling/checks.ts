import { TENANTS_ALONE_MAX } from './agenda.ts';
import { claimRows, runRow } from './claimed-rows.ts';
import { jobColumn, type LaneDue, type TenantDue } from './claims.ts';
import { correctDueTimes } from './clock-correction.ts';
import type { DueRow } from './job.ts';
import { isElsewhere, isOnHold, isPaused, nowOf, type Registration, registrationOf, type Scheduling } from './scheduling.ts';

/** Minimum time between two checks of a job, so that one check covers several commits. */
const CHECK_AGAIN_MIN_MS = 10;

/** Delay before due rows that another transaction has locked are checked again. */
const CHECK_AGAIN_LOCKED_MS = 250;

function startRow(scheduler: Scheduling, registration: Registration, lane: string, row: DueRow): void {
  const startedAtMs = performance.now();
  void runRow(scheduler, registration, row).then(() => {
    const mayHaveMore = registration.lanes.release(lane, performance.now() - startedAtMs);
    // Tenants that found no free slot come first.
    for (const tenantId of registration.waitingTenants) scheduleCheck(scheduler, registration, tenantId, 0);
    registration.waitingTenants.clear();
    // If the lane may have more due rows, it is filled again before its slots are empty.
    if (mayHaveMore) scheduleCheck(scheduler, registration, row.tenant_id, 0);
  });
}

/** Claims rows of one lane for the free slots. Returns the time until the next check, null if a finished row starts it. */
async function fillLane(scheduler: Scheduling, registration: Registration, { tenant_id: tenantId, lane }: LaneDue): Promise<number | null> {
  const key = `${tenantId}/${lane}`;
  const freeSlots = registration.lanes.acquire(key);
  if (freeSlots === 0) {
    if (registration.lanes.isFull) registration.waitingTenants.add(tenantId);
    return null;
  }
  let rows: DueRow[] = [];
  try {
    rows = await claimRows(scheduler, registration, tenantId, lane, freeSlots);
  } finally {
    registration.lanes.returnUnused(key, freeSlots - rows.length);
  }
  for (const row of rows) startRow(scheduler, registration, key, row);
  // Rows that another transaction had locked were skipped.
  return rows.length === 0 ? CHECK_AGAIN_LOCKED_MS : CHECK_AGAIN_MIN_MS;
}

/** Fills the lanes that have due rows, and schedules the next checks of their tenants. */
async function fillLanes(scheduler: Scheduling, registration: Registration, lanes: readonly LaneDue[]): Promise<void> {
  const due: LaneDue[] = [];
  for (const lane of lanes) {
    if (lane.due_ms === null || isPaused(scheduler, lane.tenant_id)) continue;
    const left = lane.due_ms - nowOf(scheduler, registration, lane.tenant_id);
    if (left <= 0) due.push(lane);
    // Later rows are found by the next check of all tenants.
    else if (left < scheduler.checkEveryMs) registration.agenda.add(lane.tenant_id, performance.now() + left);
  }
  await Promise.all(
    due.map(async (lane) => {
      const wait = await fillLane(scheduler, registration, lane);
      if (wait !== null) registration.agenda.add(lane.tenant_id, performance.now() + wait);
    }),
  );
}

async function checkTenants(scheduler: Scheduling, registration: Registration, tenantIds: readonly string[]): Promise<void> {
  await scheduler.refreshClocks(tenantIds);
  if (await isOnHold(scheduler, registration)) return;
  await Promise.all(
    tenantIds.map(async (tenantId) =>
      fillLanes(scheduler, registration, await scheduler.database.read(tenantId).all<LaneDue>(registration.sql.firstDueOfTenant)),
    ),
  );
}

/** Checks a job for all tenants. `dueRows` has the first due times of all jobs, if other jobs are checked at the same time. */
async function checkAllTenants(
  scheduler: Scheduling,
  registration: Registration,
  dueRows: Promise<readonly TenantDue[]> | null,
): Promise<void> {
  await scheduler.refreshClocks(null);
  if (await isOnHold(scheduler, registration)) return;
  const allLanes = () => scheduler.database.readAcrossTenants().all<LaneDue>(registration.sql.firstDueByLane);
  if (dueRows === null) return fillLanes(scheduler, registration, await allLanes());
  const column = jobColumn(scheduler.registrations.indexOf(registration));
  const tenants = (await dueRows).map((row) => ({ tenant_id: row.tenant_id, lane: '', due_ms: row[column] as number | null }));
  if (!registration.job.lane) return fillLanes(scheduler, registration, tenants);
  const due = tenants.filter(({ due_ms }) => due_ms !== null);
  if (due.length > TENANTS_ALONE_MAX) return fillLanes(scheduler, registration, await allLanes());
  return checkTenants(
    scheduler,
    registration,
    due.map(({ tenant_id }) => tenant_id),
  );
}

function scheduleCheck(scheduler: Scheduling, registration: Registration, tenantId: string | null, minDelayMs = CHECK_AGAIN_MIN_MS): void {
  if (isElsewhere(scheduler)) {
    // While a test clock moves here, the rows of its tenant run here. All are checked afterwards.
    if (tenantId === null || !scheduler.pausedTenants.has(tenantId)) scheduler.placement?.wake(registration.job.name, tenantId);
    return;
  }
  const atMs = Math.max(performance.now(), registration.lastCheckAtMs + minDelayMs);
  registration.agenda.add(tenantId, atMs);
  if (atMs < scheduler.timerAtMs) armTimer(scheduler);
}

/** Checks soon for due rows of all jobs and tenants. */
export function scheduleAllChecks(scheduler: Scheduling): void {
  if (isElsewhere(scheduler)) scheduler.placement?.wake(null, null);
  else for (const registration of scheduler.registrations) scheduleCheck(scheduler, registration, null);
}

function armTimer(scheduler: Scheduling): void {
  clearTimeout(scheduler.timer);
  scheduler.timerAtMs = Number.POSITIVE_INFINITY;
  if (scheduler.stopped || isElsewhere(scheduler)) return;
  const next = Math.min(...scheduler.registrations.filter(({ checking }) => checking === null).map(({ agenda }) => agenda.nextAtMs));
  if (!Number.isFinite(next)) return;
  scheduler.timerAtMs = next;
  scheduler.timer = setTimeout(() => checkDue(scheduler), Math.max(0, next - performance.now()));
  scheduler.timer.unref();
}

export function checkDue(scheduler: Scheduling): void {
  scheduler.timerAtMs = Number.POSITIVE_INFINITY;
  if (scheduler.stopped || isElsewhere(scheduler)) return;
  if (scheduler.steps.check() || (Date.now() < scheduler.aheadUntilMs && performance.now() >= scheduler.correctAgainAt))
    void correctClock(scheduler);
  const now = performance.now();
  const taken = scheduler.registrations
    .filter(({ checking, agenda }) => checking === null && agenda.nextAtMs <= now + 1)
    .map((registration) => ({ registration, tenants: registration.agenda.take(now + 1, now + scheduler.checkEveryMs) }));
  const areAll = taken.filter(({ tenants }) => tenants === 'all').length > 1;
  const dueRows = areAll ? scheduler.database.readAcrossTenants().all<TenantDue>(scheduler.dueByTenant) : null;
  // Every check that awaits the rows reports the error; on hold, none does.
  dueRows?.catch(() => {});
  for (const { registration, tenants } of taken) {
    registration.lastCheckAtMs = now;
    const check = tenants === 'all' ? checkAllTenants(scheduler, registration, dueRows) : checkTenants(scheduler, registration, tenants);
    registration.checking = check
      .catch((cause: unknown) => scheduler.report('The scheduler could not check for due rows', { job: registration.job.name, cause }))
      .finally(() => {
        registration.checking = null;
        armTimer(scheduler);
      });
  }
  armTimer(scheduler);
}

export async function correctClock(scheduler: Scheduling): Promise<void> {
  scheduler.correctAgainAt = performance.now() + scheduler.checkEveryMs;
  try {
    const { rows, latestMs } = await correctDueTimes(
      scheduler,
      scheduler.registrations.map(({ job }) => job),
    );
    scheduler.aheadUntilMs = Math.max(scheduler.aheadUntilMs, latestMs);
    if (rows > 0) scheduler.report('The clock ran ahead. Due times that were calculated meanwhile were corrected', { rows });
  } catch (cause) {
    scheduler.report('Due times could not be corrected after the clock was set back', { cause });
  }
  scheduleAllChecks(scheduler);
}

/** Checks soon for due rows of one job and one tenant. */
export const wake = (scheduler: Scheduling, job: string, tenantId: string): void =>
  scheduleCheck(scheduler, registrationOf(scheduler, job), tenantId);
