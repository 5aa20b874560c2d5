import { flag, nullable, type RecordOf, record, text, time } from '#core/platform/fields';

/** Status of a job for a tenant. */
export const JobStatus = record('JobStatus', {
  name: text('Name of the job', 'webhooks'),
  nextAt: nullable(time('Time of the next run; null if none is due')),
  isOverdue: flag('Due for more than a minute without being processed', false),
  isHeld: flag('On hold since a restore, until charges are resumed', false),
  lastAt: nullable(time('Last run on this server since its start, in real time; null if there was none')),
  lastFailed: flag('True if that run failed', false),
});
export type JobStatus = RecordOf<typeof JobStatus>;
