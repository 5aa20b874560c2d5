import { setTimeout as delay } from 'node:timers/promises';
import type { Database, TableShape } from '#core/database';
import { assert, type Clock, NO_OTHER_PROCESSES, type ProcessExchange } from '#core/kernel';
import { Agenda, TENANTS_ALONE_MAX } from './agenda.ts';
import { type JobBacklog, readBacklogs } from './backlog.ts';
import { type ClaimStatements, claimStatements, dueByTenantSql, jobColumn, type LaneDue, type TenantDue } from './claims.ts';
import { correctDueTimes, StepWatch } from './clock-correction.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { DueRow, Job } from './job.ts';
import { type FirstDueRow, firstDueSql, type JobStatus, jobStatus, LastRuns } from './job-status.ts';
import { type MoveResult, runJobsUntil } from './run-until.ts';
import { createTakeover, holderOf } from './takeover.ts';

/** Minimum time between two checks of a job, so that one check covers several commits. */
const CHECK_AGAIN_MIN_MS = 10;
/** Delay before due rows that another transaction has locked are checked again. */
const CHECK_AGAIN_LOCKED_MS = 250;
/** Default of `lookEveryMs`. */
const CHECK_EVERY_MS = 15_000;
/** Time after which a pause of another process that is not renewed ends, because that process has ended. It also limits the wait for running jobs. */
const PAUSE_MS = 10_000;
const RENEW_PAUSE_EVERY_MS = 3_000;
const ASK_AGAIN_MS = 100;

/** Largest share of a job without lanes that one tenant may use, so that other tenants find room. */
const TENANT_SHARE = 0.75;

/** Decides which of the processes of a server runs its jobs. The leases of rows stay the guarantee that each runs once. */
export interface JobPlacement {
  /** True while this process runs the jobs. */
  isHere(): boolean;
  /** Asks the process that runs the jobs to check for due rows of a job and a tenant, or of all for null. */
  wake(job: string | null, tenantId: string | null): void;
  /** Pauses or resumes the jobs of a tenant in the other processes. Returns true if none of them runs there. */
  setPaused(tenantId: string, isPaused: boolean): Promise<boolean>;
}

interface SchedulerDependencies {
  readonly database: Database;
  readonly clockOf: (tenantId: string) => Clock;
  /** The table of all tenants. */
  readonly tenants: TableShape;
  /** Reads clock changes that other servers made, of some tenants or of all for null. */
  readonly refreshClocks: (tenantIds: readonly string[] | null) => Promise<void>;
  /** Returns true if automatic charges are on hold after a restore from a backup. */
  readonly holdsCharges?: () => Promise<boolean>;
  readonly report: (message: string, context: Record<string, unknown>) => void;
  /** The process that runs the jobs; absent if the server has one process. */
  readonly placement?: JobPlacement | undefined;
  readonly processes?: ProcessExchange;
  /** Interval at which a server looks for work that other servers left behind; 15 s by default. */
  readonly checkEveryMs?: number;
}

export interface Scheduler {
  register<Row extends DueRow>(job: Job<Row>): void;
  start(): Promise<void>;
  /** Checks soon for due rows of one job and one tenant. */
  wake(job: string, tenantId: string): void;
  /** Checks soon for due rows of all jobs and tenants. */
  wakeAll(): void;
  /** Runs the due rows of one job and one tenant in order and returns their results. */
  runDue(job: string, tenantId: string): Promise<string[]>;
  /** Runs one row of a job if it is due and free, and returns its result; otherwise null. */
  runOne(job: string, tenantId: string, id: string): Promise<string | null>;
  /** Runs a function while no job of the tenant runs in the processes of this server. Rows that become due in the meantime run afterwards. */
  withoutJobs<Result>(tenantId: string, body: () => Promise<Result>): Promise<Result>;
  /** Pauses the jobs of a tenant for ten seconds, or resumes them, for another process. Returns true if none runs here. */
  setPaused(tenantId: string, isPaused: boolean): Promise<boolean>;
  /**
   * Runs the rows of a tenant that are due by a time, in order of due time, with the tenant's clock set to the time of each row by `setClock`, until none is
   * due or the time `maxMs` is up. No other job of the tenant starts in this server in the meantime.
   */
  runUntil(tenantId: string, toMs: number, setClock: (ms: number) => Promise<void>, maxMs?: number): Promise<MoveResult>;
  /** Returns the status of each job for a tenant. */
  statuses(tenantId: string): Promise<readonly JobStatus[]>;
  /** Returns the backlog of each job for all tenants. */
  backlogs(): Promise<readonly JobBacklog[]>;
  stop(): Promise<void>;
}

/** A job of either clock. */
type AnyJob = Omit<Job<DueRow>, 'clock'> & { readonly clock: 'tenant' | 'real' };

interface Registration {
  readonly job: AnyJob;
  readonly sql: ClaimStatements;
  readonly lanes: ConcurrencyLimiter;
  readonly agenda: Agenda;
  /** Tenants with due rows for which no slot was free. */
  readonly waitingTenants: Set<string>;
  lastCheckAtMs: number;
  checking: Promise<void> | null;
}

export function createScheduler(deps: SchedulerDependencies): Scheduler {
  const { database, clockOf, report, placement, checkEveryMs = CHECK_EVERY_MS } = deps;
  const isElsewhere = () => placement?.isHere() === false;
  const registrations: Registration[] = [];
  /** Running rows by tenant. */
  const runningRows = new Map<string, Set<Promise<unknown>>>();
  /** Tenants whose jobs are paused. */
  const pausedTenants = new Set<string>();
  /** Times until which other processes pause the jobs of tenants. */
  const pausedUntil = new Map<string, number>();
  const lastRuns = new LastRuns(deps.processes ?? NO_OTHER_PROCESSES);
  const steps = new StepWatch();
  /** Until this time, records may carry a time that the clock had in advance, so that their later changes have due times that never come. */
  let aheadUntilMs = 0;
  let correctAgainAt = 0;
  let dueByTenant = '';
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;

  const nowOf = (registration: Registration, tenantId: string) =>
    registration.job.clock === 'real' ? Date.now() : clockOf(tenantId).now();
  const isPaused = (tenantId: string) => pausedTenants.has(tenantId) || (pausedUntil.get(tenantId) ?? 0) > performance.now();
  const registrationOf = (name: string): Registration => {
    const registration = registrations.find(({ job }) => job.name === name);
    assert(registration, `${name} is a job`);
    return registration;
  };

  const isOnHold = async ({ job }: Registration) => job.charges === true && ((await deps.holdsCharges?.()) ?? false);

  async function claim(registration: Registration, tenantId: string, lane: string, freeSlots: number): Promise<DueRow[]> {
    const params = {
      dueBy: nowOf(registration, tenantId),
      room: freeSlots,
      holder: holderOf(database),
      ...(registration.job.lane ? { lane } : {}),
    };
    const rows = await database.unitOfWork.transaction(tenantId, (work) => work.all<DueRow>(registration.sql.claim, params));
    // RETURNING does not preserve the order.
    return rows.sort((leftMs, right) => (leftMs.due_ms ?? 0) - (right.due_ms ?? 0) || (leftMs.id < right.id ? -1 : 1));
  }

  async function claimOne(registration: Registration, tenantId: string, id: string): Promise<DueRow | null> {
    const params = { id, dueBy: nowOf(registration, tenantId), holder: holderOf(database) };
    const [row] = await database.unitOfWork.transaction(tenantId, (work) => work.all<DueRow>(registration.sql.claimOne, params));
    return row ?? null;
  }

  /** Runs a claimed row. A failure is logged, and the row stays claimed until its lease ends. */
  async function runRow(registration: Registration, row: DueRow): Promise<string> {
    const run = registration.job.run(row).catch((cause: unknown) => {
      report('A job failed. It will be retried', { job: registration.job.name, id: row.id, cause });
      return 'error';
    });
    const running = runningRows.get(row.tenant_id) ?? new Set();
    runningRows.set(row.tenant_id, running.add(run));
    try {
      const result = await run;
      lastRuns.record(registration.job.name, row.tenant_id, result === 'error');
      return result;
    } finally {
      running.delete(run);
      if (running.size === 0) runningRows.delete(row.tenant_id);
    }
  }

  function startRow(registration: Registration, lane: string, row: DueRow): void {
    const startedAtMs = performance.now();
    void runRow(registration, row).then(() => {
      const mayHaveMore = registration.lanes.release(lane, performance.now() - startedAtMs);
      // Tenants that found no free slot come first.
      for (const tenantId of registration.waitingTenants) scheduleCheck(registration, tenantId, 0);
      registration.waitingTenants.clear();
      // If the lane may have more due rows, it is filled again before its slots are empty.
      if (mayHaveMore) scheduleCheck(registration, row.tenant_id, 0);
    });
  }

  /** Claims rows of one lane for the free slots. Returns the time until the next check, null if a finished row starts it. */
  async function fillLane(registration: Registration, { tenant_id: tenantId, lane }: LaneDue): Promise<number | null> {
    const key = `${tenantId}/${lane}`;
    const freeSlots = registration.lanes.acquire(key);
    if (freeSlots === 0) {
      if (registration.lanes.isFull) registration.waitingTenants.add(tenantId);
      return null;
    }
    let rows: DueRow[] = [];
    try {
      rows = await claim(registration, tenantId, lane, freeSlots);
    } finally {
      registration.lanes.returnUnused(key, freeSlots - rows.length);
    }
    for (const row of rows) startRow(registration, key, row);
    // Rows that another transaction had locked were skipped.
    return rows.length === 0 ? CHECK_AGAIN_LOCKED_MS : CHECK_AGAIN_MIN_MS;
  }

  /** Fills the lanes that have due rows, and schedules the next checks of their tenants. */
  async function fillLanes(registration: Registration, lanes: readonly LaneDue[]): Promise<void> {
    const due: LaneDue[] = [];
    for (const lane of lanes) {
      if (lane.due_ms === null || isPaused(lane.tenant_id)) continue;
      const left = lane.due_ms - nowOf(registration, lane.tenant_id);
      if (left <= 0) due.push(lane);
      // Later rows are found by the next check of all tenants.
      else if (left < checkEveryMs) registration.agenda.add(lane.tenant_id, performance.now() + left);
    }
    await Promise.all(
      due.map(async (lane) => {
        const wait = await fillLane(registration, lane);
        if (wait !== null) registration.agenda.add(lane.tenant_id, performance.now() + wait);
      }),
    );
  }

  async function checkTenants(registration: Registration, tenantIds: readonly string[]): Promise<void> {
    await deps.refreshClocks(tenantIds);
    if (await isOnHold(registration)) return;
    await Promise.all(
      tenantIds.map(async (tenantId) =>
        fillLanes(registration, await database.read(tenantId).all<LaneDue>(registration.sql.firstDueOfTenant)),
      ),
    );
  }

  /** Checks a job for all tenants. `dueRows` has the first due times of all jobs, if other jobs are checked at the same time. */
  async function checkAllTenants(registration: Registration, dueRows: Promise<readonly TenantDue[]> | null): Promise<void> {
    await deps.refreshClocks(null);
    if (await isOnHold(registration)) return;
    const allLanes = () => database.readAcrossTenants().all<LaneDue>(registration.sql.firstDueByLane);
    if (dueRows === null) return fillLanes(registration, await allLanes());
    const column = jobColumn(registrations.indexOf(registration));
    const tenants = (await dueRows).map((row) => ({ tenant_id: row.tenant_id, lane: '', due_ms: row[column] as number | null }));
    if (!registration.job.lane) return fillLanes(registration, tenants);
    const due = tenants.filter(({ due_ms }) => due_ms !== null);
    if (due.length > TENANTS_ALONE_MAX) return fillLanes(registration, await allLanes());
    return checkTenants(
      registration,
      due.map(({ tenant_id }) => tenant_id),
    );
  }

  function scheduleCheck(registration: Registration, tenantId: string | null, minDelayMs = CHECK_AGAIN_MIN_MS): void {
    if (isElsewhere()) {
      // While a test clock moves here, the rows of its tenant run here. All are checked afterwards.
      if (tenantId === null || !pausedTenants.has(tenantId)) placement?.wake(registration.job.name, tenantId);
      return;
    }
    registration.agenda.add(tenantId, Math.max(performance.now(), registration.lastCheckAtMs + minDelayMs));
    armTimer();
  }

  function scheduleAllChecks(): void {
    if (isElsewhere()) placement?.wake(null, null);
    else for (const registration of registrations) scheduleCheck(registration, null);
  }

  function armTimer(): void {
    clearTimeout(timer);
    if (stopped || isElsewhere()) return;
    const next = Math.min(...registrations.filter(({ checking }) => checking === null).map(({ agenda }) => agenda.nextAtMs));
    if (!Number.isFinite(next)) return;
    timer = setTimeout(checkDue, Math.max(0, next - performance.now()));
    timer.unref();
  }

  function checkDue(): void {
    if (stopped || isElsewhere()) return;
    if (steps.check() || (Date.now() < aheadUntilMs && performance.now() >= correctAgainAt)) void correctClock();
    const now = performance.now();
    const taken = registrations
      .filter(({ checking, agenda }) => checking === null && agenda.nextAtMs <= now + 1)
      .map((registration) => ({ registration, tenants: registration.agenda.take(now + 1, now + checkEveryMs) }));
    const areAll = taken.filter(({ tenants }) => tenants === 'all').length > 1;
    const dueRows = areAll ? database.readAcrossTenants().all<TenantDue>(dueByTenant) : null;
    // Every check that awaits the rows reports the error; on hold, none does.
    dueRows?.catch(() => {});
    for (const { registration, tenants } of taken) {
      registration.lastCheckAtMs = now;
      const check = tenants === 'all' ? checkAllTenants(registration, dueRows) : checkTenants(registration, tenants);
      registration.checking = check
        .catch((cause: unknown) => report('The scheduler could not check for due rows', { job: registration.job.name, cause }))
        .finally(() => {
          registration.checking = null;
          armTimer();
        });
    }
    armTimer();
  }

  /** Returns the jobs of the tenant's clock, for a move of this clock. */
  async function movingJobs(tenantId: string) {
    const onTenantClock: Registration[] = [];
    for (const registration of registrations)
      if (registration.job.clock !== 'real' && !(await isOnHold(registration))) onTenantClock.push(registration);
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
          return Promise.all((await claim(registration, tenantId, key, rows)).map((row) => runRow(registration, row)));
        },
      };
    });
  }

  async function correctClock(): Promise<void> {
    correctAgainAt = performance.now() + checkEveryMs;
    try {
      const { rows, latestMs } = await correctDueTimes(
        deps,
        registrations.map(({ job }) => job),
      );
      aheadUntilMs = Math.max(aheadUntilMs, latestMs);
      if (rows > 0) report('The clock ran ahead. Due times that were calculated meanwhile were corrected', { rows });
    } catch (cause) {
      report('Due times could not be corrected after the clock was set back', { cause });
    }
    scheduleAllChecks();
  }

  async function setPaused(tenantId: string, isPausing: boolean): Promise<boolean> {
    if (!isPausing) {
      if (pausedUntil.delete(tenantId)) scheduleAllChecks();
      return true;
    }
    pausedUntil.set(tenantId, performance.now() + PAUSE_MS);
    await Promise.all(registrations.map(({ checking }) => checking));
    return !runningRows.has(tenantId);
  }

  /** Pauses the jobs of a tenant in the other processes, and waits until those that run there have ended. Returns the function that resumes them. */
  async function pauseElsewhere(tenantId: string): Promise<() => void> {
    if (placement === undefined) return () => {};
    const renewals = setInterval(() => void placement.setPaused(tenantId, true), RENEW_PAUSE_EVERY_MS);
    const waitsUntil = performance.now() + PAUSE_MS;
    while (!(await placement.setPaused(tenantId, true)) && performance.now() < waitsUntil) await delay(ASK_AGAIN_MS);
    return () => {
      clearInterval(renewals);
      void placement.setPaused(tenantId, false);
    };
  }

  async function withoutJobs<Result>(tenantId: string, body: () => Promise<Result>): Promise<Result> {
    pausedTenants.add(tenantId);
    const resumeElsewhere = await pauseElsewhere(tenantId);
    try {
      await Promise.all(registrations.map(({ checking }) => checking));
      while (runningRows.has(tenantId)) await Promise.all(runningRows.get(tenantId) ?? []);
      return await body();
    } finally {
      pausedTenants.delete(tenantId);
      resumeElsewhere();
      scheduleAllChecks();
    }
  }

  const takeover = createTakeover(database, () => registrations.map(({ job }) => job.table), scheduleAllChecks, report);

  return {
    register(job) {
      const { name } = job;
      const anyJob = job as unknown as AnyJob;
      assert(!registrations.some((registration) => registration.job.name === name), `${name} is registered only once`);
      registrations.push({
        job: anyJob,
        sql: claimStatements(database, anyJob, deps.tenants),
        lanes: job.lane
          ? new ConcurrencyLimiter(job.concurrency, job.lane.concurrency, true)
          : new ConcurrencyLimiter(job.concurrency, Math.ceil(job.concurrency * TENANT_SHARE), false),
        agenda: new Agenda(),
        waitingTenants: new Set(),
        lastCheckAtMs: Number.NEGATIVE_INFINITY,
        checking: null,
      });
    },
    async start() {
      if (database.kind === 'sqlite') {
        // This process holds the data directory exclusively, so every claim is a leftover.
        await database.unitOfWork.transaction(null, async (work) => {
          for (const { sql } of registrations) await work.run(sql.release);
        });
      }
      await takeover.start();
      dueByTenant = dueByTenantSql(
        database,
        registrations.map(({ job }) => job),
        deps.tenants,
      );
      stopped = false;
      await correctClock();
      startedAt = performance.now();
      checkDue();
    },
    wake: (job, tenantId) => scheduleCheck(registrationOf(job), tenantId),
    wakeAll: scheduleAllChecks,
    async runDue(name, tenantId) {
      const registration = registrationOf(name);
      assert(!registration.job.lane, 'only a job without lanes can be run for one tenant');
      const results: string[] = [];
      if (await isOnHold(registration)) return results;
      for (;;) {
        const [row] = await claim(registration, tenantId, '', 1);
        if (!row) return results;
        results.push(await runRow(registration, row));
      }
    },
    async runOne(name, tenantId, id) {
      const registration = registrationOf(name);
      const row = (await isOnHold(registration)) ? null : await claimOne(registration, tenantId, id);
      return row && runRow(registration, row);
    },
    withoutJobs,
    setPaused,
    runUntil: (tenantId, toMs, setClock, maxMs = Number.POSITIVE_INFINITY) =>
      withoutJobs(tenantId, async () => runJobsUntil({ database, tenantId, toMs, setClock, maxMs, jobs: await movingJobs(tenantId) })),
    async statuses(tenantId) {
      const jobs = registrations.map(({ job }) => job);
      const [firsts, runs] = await Promise.all([
        database.read(tenantId).all<FirstDueRow>(firstDueSql(database, jobs)),
        lastRuns.of(tenantId),
      ]);
      const dueOf = new Map(firsts.map((first) => [first.job, first.due_ms]));
      return Promise.all(
        registrations.map(async (registration) =>
          jobStatus({
            job: registration.job,
            dueMs: dueOf.get(registration.job.name) ?? null,
            nowMs: nowOf(registration, tenantId),
            runningMs: performance.now() - startedAt,
            isHeld: await isOnHold(registration),
            last: runs.get(registration.job.name),
          }),
        ),
      );
    },
    async backlogs() {
      const jobs = registrations.map(async (registration) => ({
        job: registration.job,
        isHeld: await isOnHold(registration),
        nowOf: (tenantId: string) => nowOf(registration, tenantId),
      }));
      return readBacklogs(database, await Promise.all(jobs), dueByTenant);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.all(registrations.map(({ checking }) => checking));
      while (runningRows.size > 0) await Promise.all([...runningRows.values()].flatMap((runs) => [...runs]));
      await takeover.stop();
    },
  };
}
