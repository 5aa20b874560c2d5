import { setTimeout as delay } from 'node:timers/promises';
import { scheduleAllChecks } from './checks.ts';
import { claimRows, runRow } from './claimed-rows.ts';
import { type MoveResult, runJobsUntil } from './run-until.ts';
import { isOnHold, type Registration, type Scheduling } from './scheduling.ts';

/** Time after which a pause of another process that is not renewed ends, because that process has ended. It also limits the wait for running jobs. */
const PAUSE_MS = 10_000;

const RENEW_PAUSE_EVERY_MS = 3_000;

const ASK_AGAIN_MS = 100;

/** Returns the jobs of the tenant's clock, for a move of this clock. */
async function movingJobs(scheduler: Scheduling, tenantId: string) {
  const onTenantClock: Registration[] = [];
  for (const registration of scheduler.registrations)
    if (registration.job.clock !== 'real' && !(await isOnHold(scheduler, registration))) onTenantClock.push(registration);
  return onTenantClock.map((registration) => {
    const { name, countedAs, concurrency, lane, table } = registration.job;
    return {
      name,
      countedAs,
      concurrency: lane?.concurrency ?? concurrency,
      hasLanes: lane !== undefined,
      table,
      firstDueOfTenant: registration.sql.firstDueOfTenant,
      async runClaimed(key: string, rows: number) {
        return Promise.all(
          (await claimRows(scheduler, registration, tenantId, key, rows)).map((row) => runRow(scheduler, registration, row)),
        );
      },
    };
  });
}

/** Pauses the jobs of a tenant for ten seconds, or resumes them, for another process. Returns true if none runs here. */
export async function setPaused(scheduler: Scheduling, tenantId: string, isPausing: boolean): Promise<boolean> {
  if (!isPausing) {
    if (scheduler.pausedUntil.delete(tenantId)) scheduleAllChecks(scheduler);
    return true;
  }
  scheduler.pausedUntil.set(tenantId, performance.now() + PAUSE_MS);
  await Promise.all(scheduler.registrations.map(({ checking }) => checking));
  return !scheduler.runningRows.has(tenantId);
}

/** Pauses the jobs of a tenant in the other processes, and waits until those that run there have ended. Returns the function that resumes them. */
async function pauseElsewhere(scheduler: Scheduling, tenantId: string): Promise<() => void> {
  const { placement } = scheduler;
  if (placement === undefined) return () => {};
  const renewals = setInterval(() => void placement.setPaused(tenantId, true), RENEW_PAUSE_EVERY_MS);
  const waitsUntil = performance.now() + PAUSE_MS;
  while (!(await placement.setPaused(tenantId, true)) && performance.now() < waitsUntil) await delay(ASK_AGAIN_MS);
  return () => {
    clearInterval(renewals);
    void placement.setPaused(tenantId, false);
  };
}

/** Runs a function while no job of the tenant runs in the processes of this server. Rows that become due in the meantime run afterwards. */
export async function withoutJobs<Result>(scheduler: Scheduling, tenantId: string, body: () => Promise<Result>): Promise<Result> {
  scheduler.pausedTenants.add(tenantId);
  const resumeElsewhere = await pauseElsewhere(scheduler, tenantId);
  try {
    await Promise.all(scheduler.registrations.map(({ checking }) => checking));
    while (scheduler.runningRows.has(tenantId)) await Promise.all(scheduler.runningRows.get(tenantId) ?? []);
    return await body();
  } finally {
    scheduler.pausedTenants.delete(tenantId);
    resumeElsewhere();
    scheduleAllChecks(scheduler);
  }
}

/**
 * Runs the rows of a tenant that are due by a time, in order of due time, with the tenant's clock set to the time of each row by `setClock`, until none is
 * due or the time `maxMs` is up. No other job of the tenant starts in this server in the meantime.
 */
export const runUntil = (
  scheduler: Scheduling,
  tenantId: string,
  toMs: number,
  setClock: (ms: number) => Promise<void>,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<MoveResult> =>
  withoutJobs(scheduler, tenantId, async () =>
    runJobsUntil({ database: scheduler.database, tenantId, toMs, setClock, maxMs, jobs: await movingJobs(scheduler, tenantId) }),
  );
