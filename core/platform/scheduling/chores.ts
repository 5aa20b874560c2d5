import { type Database, integer, type RowOf, table, text, type Writer } from '#core/database';
import { later, type RealTime, realNow } from '#core/kernel';
import { dueAt, type Job, released } from './job.ts';

/** Work of a tenant that comes again and again; the id is its name. */
export const CHORES = table(
  'chores',
  { tenant_id: text, id: text, due_ms: integer.of<RealTime>().optional, lease_ms: integer, fence: integer },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'chores_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

const EVERY_MS = 3_600_000;
const CLEAN_UP = 'clean-up';

/** Gives a new tenant its chores, in the unit of work that makes it. */
export function chore(work: Writer, tenantId: string, nowMs: RealTime): void {
  work.insert(CHORES, { tenant_id: tenantId, id: CLEAN_UP, ...dueAt(later(nowMs, EVERY_MS)) });
}

/** Removes what has had its time, hourly: idempotency records and sessions. Real time: the test clock is no reason to clean up a year at once. */
export function cleanUpJob(database: Database, sweeps: readonly ((tenantId: string) => Promise<void>)[]): Job<RowOf<typeof CHORES>> {
  return {
    name: CLEAN_UP,
    table: CHORES,
    clock: 'real',
    atOnce: 1,
    leaseMs: 60_000,
    async run({ tenant_id, id, fence }) {
      for (const sweep of sweeps) await sweep(tenant_id);
      await database.unitOfWork.run(tenant_id, (work) => work.update(CHORES, { id, fence }, released(later(realNow(), EVERY_MS))));
      return 'swept';
    },
  };
}
