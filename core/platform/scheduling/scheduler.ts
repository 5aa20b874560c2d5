import { assert, bind, NO_OTHER_PROCESSES } from '#core/kernel';
import { Agenda } from './agenda.ts';
import { type JobBacklog, readBacklogs } from './backlog.ts';
import { checkDue, correctClock, scheduleAllChecks, wake } from './checks.ts';
import { runDue, runOne } from './claimed-rows.ts';
import { claimStatements, dueByTenantSql } from './claims.ts';
import { StepWatch } from './clock-correction.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { DueRow, Job } from './job.ts';
import { type FirstDueRow, firstDueSql, jobStatus, LastRuns } from './job-status.ts';
import { runUntil, setPaused, withoutJobs } from './pauses.ts';
import type { JobStatus } from './records.ts';
import { type AnyJob, isOnHold, nowOf, type SchedulerDependencies, type Scheduling } from './scheduling.ts';
import { createTakeover } from './takeover.ts';

/** Default of `checkEveryMs`. */
const CHECK_EVERY_MS = 15_000;

/** Largest share of a job without lanes that one tenant may use, so that other tenants find room. */
const TENANT_SHARE = 0.75;

/** Returns the largest number of slots of one tenant. One remains for others, if there are several. */
const slotsOfTenant = (concurrency: number): number => Math.max(1, Math.min(Math.ceil(concurrency * TENANT_SHARE), concurrency - 1));

function registerJob<Row extends DueRow>(scheduler: Scheduling, job: Job<Row>): void {
  const { name } = job;
  const anyJob = job as unknown as AnyJob;
  assert(!scheduler.registrations.some((registration) => registration.job.name === name), `${name} is registered only once`);
  scheduler.registrations.push({
    job: anyJob,
    sql: claimStatements(scheduler.database, anyJob, scheduler.tenants),
    lanes: job.lane
      ? new ConcurrencyLimiter(job.concurrency, job.lane.concurrency, true)
      : new ConcurrencyLimiter(job.concurrency, slotsOfTenant(job.concurrency), false),
    agenda: new Agenda(),
    waitingTenants: new Set(),
    lastCheckAtMs: Number.NEGATIVE_INFINITY,
    checking: null,
  });
}

async function startScheduler(scheduler: Scheduling): Promise<void> {
  if (scheduler.database.kind === 'sqlite') {
    // This process holds the data directory exclusively, so every claim is a leftover.
    await scheduler.database.unitOfWork.transaction(null, async (work) => {
      for (const { sql } of scheduler.registrations) await work.run(sql.release);
    });
  }
  await scheduler.takeover.start();
  scheduler.dueByTenant = dueByTenantSql(
    scheduler.database,
    scheduler.registrations.map(({ job }) => job),
    scheduler.tenants,
  );
  scheduler.stopped = false;
  await correctClock(scheduler);
  scheduler.startedAt = performance.now();
  checkDue(scheduler);
}

/** Returns the status of each job for a tenant. */
async function jobStatuses(scheduler: Scheduling, tenantId: string): Promise<readonly JobStatus[]> {
  const jobs = scheduler.registrations.map(({ job }) => job);
  const [firsts, runs] = await Promise.all([
    scheduler.database.read(tenantId).all<FirstDueRow>(firstDueSql(scheduler.database, jobs)),
    scheduler.lastRuns.of(tenantId),
  ]);
  const dueOf = new Map(firsts.map((first) => [first.job, first.due_ms]));
  return Promise.all(
    scheduler.registrations.map(async (registration) =>
      jobStatus({
        job: registration.job,
        dueMs: dueOf.get(registration.job.name) ?? null,
        nowMs: nowOf(scheduler, registration, tenantId),
        runningMs: performance.now() - scheduler.startedAt,
        isHeld: await isOnHold(scheduler, registration),
        last: runs.get(registration.job.name),
      }),
    ),
  );
}

/** Returns the backlog of each job for all tenants. */
async function jobBacklogs(scheduler: Scheduling): Promise<readonly JobBacklog[]> {
  const jobs = scheduler.registrations.map(async (registration) => ({
    job: registration.job,
    isHeld: await isOnHold(scheduler, registration),
    nowOf: (tenantId: string) => nowOf(scheduler, registration, tenantId),
  }));
  return readBacklogs(scheduler.database, await Promise.all(jobs), scheduler.dueByTenant);
}

async function stopScheduler(scheduler: Scheduling): Promise<void> {
  scheduler.stopped = true;
  clearTimeout(scheduler.timer);
  await Promise.all(scheduler.registrations.map(({ checking }) => checking));
  while (scheduler.runningRows.size > 0) await Promise.all([...scheduler.runningRows.values()].flatMap((runs) => [...runs]));
  await scheduler.takeover.stop();
}

export type Scheduler = ReturnType<typeof createScheduler>;

export function createScheduler(given: SchedulerDependencies) {
  const { database, processes = NO_OTHER_PROCESSES, checkEveryMs = CHECK_EVERY_MS, report } = given;
  const tables = () => scheduler.registrations.map(({ job }) => job.table);
  const scheduler: Scheduling = {
    ...given,
    checkEveryMs,
    registrations: [],
    runningRows: new Map(),
    pausedTenants: new Set(),
    pausedUntil: new Map(),
    lastRuns: new LastRuns(processes),
    steps: new StepWatch(),
    takeover: createTakeover(database, tables, () => scheduleAllChecks(scheduler), report),
    aheadUntilMs: 0,
    correctAgainAt: 0,
    dueByTenant: '',
    startedAt: 0,
    timer: undefined,
    timerAtMs: Number.POSITIVE_INFINITY,
    stopped: true,
  };
  return {
    register: <Row extends DueRow>(job: Job<Row>) => registerJob(scheduler, job),
    /** Runs a function while no job of the tenant runs in the processes of this server. Rows that become due in the meantime run afterwards. */
    withoutJobs: <Result>(tenantId: string, body: () => Promise<Result>) => withoutJobs(scheduler, tenantId, body),
    ...bind(scheduler, { start: startScheduler, stop: stopScheduler, wake, wakeAll: scheduleAllChecks, runDue, runOne, runUntil }),
    ...bind(scheduler, { setPaused, statuses: jobStatuses, backlogs: jobBacklogs }),
  };
}
