/**
 * Scheduled work (design, rule 10): due rows in the tables of the capabilities, claimed with a lease and a fencing number, and woken by
 * commits and by time. Servers can share a database: a row has one holder at a time, and rows of a stopped server are claimed again when
 * the lease ends.
 */

export { claimRow } from './claim-row.ts';
export { dueAt, type Job, released } from './job.ts';
export type { JobStatus } from './job-status.ts';
export { databaseNow } from './lease.ts';
export { cleanUpJob, MAINTENANCE, maintenanceTask } from './maintenance.ts';
export { createScheduler, type Ran, type Scheduler } from './scheduler.ts';
export { CLAIM_FENCE, holderOf } from './takeover.ts';
