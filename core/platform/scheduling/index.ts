/**
 * Scheduled work: due rows in the tables of the capabilities, claimed with a lease and a fencing number, and woken by
 * commits and by time. Servers can share a database: one server at a time works on a row. The claims of a killed server are released within
 * seconds, and those of an unreachable one when the lease ends.
 */

export type { JobBacklog } from './backlog.ts';
export { claimRow } from './claim-row.ts';
export { type DueRow, dueAt, type Job, released } from './job.ts';
export { databaseNow } from './lease.ts';
export { cleanUpJob, MAINTENANCE, scheduleMaintenance } from './maintenance.ts';
export { JobStatus } from './records.ts';
export { createScheduler, type Scheduler } from './scheduler.ts';
export type { JobPlacement } from './scheduling.ts';
export { CLAIM_FENCE, holderOf } from './takeover.ts';
