import type { Database, TableShape } from '#core/database';
import { assert, type Clock, type ProcessExchange } from '#core/kernel';
import type { Agenda } from './agenda.ts';
import type { ClaimStatements } from './claims.ts';
import type { StepWatch } from './clock-correction.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { DueRow, Job } from './job.ts';
import type { LastRuns } from './job-status.ts';
import type { createTakeover } from './takeover.ts';

/** Decides which of the processes of a server runs its jobs. The leases of rows stay the guarantee that each runs once. */
export interface JobPlacement {
  /** True while this process runs the jobs. */
  isHere(): boolean;
  /** Asks the process that runs the jobs to check for due rows of a job and a tenant, or of all for null. */
  wake(job: string | null, tenantId: string | null): void;
  /** Pauses or resumes the jobs of a tenant in the other processes. Returns true if none of them runs there. */
  setPaused(tenantId: string, isPaused: boolean): Promise<boolean>;
}

export interface SchedulerDependencies {
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

/** A job of either clock. */
export type AnyJob = Omit<Job<DueRow>, 'clock'> & { readonly clock: 'tenant' | 'real' };

export interface Registration {
  readonly job: AnyJob;
  readonly sql: ClaimStatements;
  readonly lanes: ConcurrencyLimiter;
  readonly agenda: Agenda;
  /** Tenants with due rows for which no slot was free. */
  readonly waitingTenants: Set<string>;
  lastCheckAtMs: number;
  checking: Promise<void> | null;
}

export const isElsewhere = (scheduler: Scheduling) => scheduler.placement?.isHere() === false;

export const nowOf = (scheduler: Scheduling, registration: Registration, tenantId: string) =>
  registration.job.clock === 'real' ? Date.now() : scheduler.clockOf(tenantId).now();

export const isPaused = (scheduler: Scheduling, tenantId: string) =>
  scheduler.pausedTenants.has(tenantId) || (scheduler.pausedUntil.get(tenantId) ?? 0) > performance.now();

export const registrationOf = (scheduler: Scheduling, name: string): Registration => {
  const registration = scheduler.registrations.find(({ job }) => job.name === name);
  assert(registration, `${name} is a job`);
  return registration;
};

export const isOnHold = async (scheduler: Scheduling, { job }: Registration) =>
  job.charges === true && ((await scheduler.holdsCharges?.()) ?? false);

/** Dependencies, with the state of a running scheduler. */
export interface Scheduling extends SchedulerDependencies {
  readonly checkEveryMs: number;
  readonly registrations: Registration[];
  /** Running rows by tenant. */
  readonly runningRows: Map<string, Set<Promise<unknown>>>;
  /** Tenants whose jobs are paused. */
  readonly pausedTenants: Set<string>;
  /** Times until which other processes pause the jobs of tenants. */
  readonly pausedUntil: Map<string, number>;
  readonly lastRuns: LastRuns;
  readonly steps: StepWatch;
  readonly takeover: ReturnType<typeof createTakeover>;
  /** Until this time, records may carry a time that the clock had in advance, so that their later changes have due times that never come. */
  aheadUntilMs: number;
  correctAgainAt: number;
  dueByTenant: string;
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
  /** Time at which the timer fires; infinite without one. */
  timerAtMs: number;
  stopped: boolean;
}
