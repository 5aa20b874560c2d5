import { type Database, dueColumns, type RowOf, table, text, type Writer } from '#core/database';
import { later, type RealTime, realNow } from '#core/kernel';
import { dueAt, type Job, released } from './job.ts';

/** Recurring maintenance of a tenant; the ID is the name of the task. */
export const MAINTENANCE = table(
  'chores',
  { tenant_id: text, id: text, ...dueColumns<RealTime>() },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'chores_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

const EVERY_MS = 3_600_000;
const CLEAN_UP = 'clean-up';

/** Schedules the maintenance of a new tenant, in the unit of work that creates it. */
export function scheduleMaintenance(work: Writer, tenantId: string, nowMs: RealTime): void {
  work.insert(MAINTENANCE, { tenant_id: tenantId, id: CLEAN_UP, ...dueAt(later(nowMs, EVERY_MS)) });
}

/**
 * Job that removes expired idempotency keys, sessions and similar rows hourly. It runs in real time, so that moving a test clock does not start a
 * clean-up for every hour of a year.
 */
export function cleanUpJob(database: Database, cleanUps: readonly ((tenantId: string) => Promise<void>)[]): Job<RowOf<typeof MAINTENANCE>> {
  return {
    name: CLEAN_UP,
    table: MAINTENANCE,
    clock: 'real',
    concurrency: 1,
    leaseMs: 60_000,
    longestWaitMs: EVERY_MS,
    async run({ tenant_id, id, fence }) {
      for (const cleanUp of cleanUps) await cleanUp(tenant_id);
      await database.unitOfWork.transaction(tenant_id, (work) =>
        work.update(MAINTENANCE, { id, fence }, released(later(realNow(), EVERY_MS))),
      );
      return 'swept';
    },
  };
}
