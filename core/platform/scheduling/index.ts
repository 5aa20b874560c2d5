/**
 * Work that falls due (design, rule 10): due rows in the tables of the capabilities, claimed with a lease and a fencing number, woken by commit
 * and by time. Several servers may share a database: a row has one holder at a time, and a dead holder's rows are taken over when the lease ends.
 */

export { CHORES, chore, cleanUpJob } from './chores.ts';
export { claimRow } from './claim-row.ts';
export { dueAt, type Job, released } from './job.ts';
export { databaseNow } from './lease.ts';
export { createScheduler, type Ran, type Scheduler } from './scheduler.ts';
export type { JobStanding } from './standing.ts';
