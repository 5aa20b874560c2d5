import { queriesOn, TENANT } from '#core/database';
import { type Actor, dateIn, later, realNow, ServiceError, serviceActor } from '#core/kernel';
import { dueAt, type Job } from '#core/platform/scheduling';
import { type By, type Needs, scopeFor } from './needs.ts';
import type { Day, Report } from './read.ts';
import { COMPARISONS, type ComparisonRow, WHOLE_TENANT } from './schema.ts';

const queries = queriesOn(COMPARISONS);

const COMPARE_JOB = 'reconciliation.compare';
/** Days at work at once; each reads as many lines as the day has. */
const AT_ONCE = 2;
const LEASE_MS = 600_000;
/** Whoever opens a day meanwhile compares it, and it is not compared twice. */
const DELAY_MS = 1_000;

/** Has those days compared that are settled and were not compared since; whoever looks at them is told when it is done. */
export async function askFor(on: Needs, by: By, merchantId: string | undefined, days: readonly Day[]): Promise<void> {
  const { scope, merchant } = await scopeFor(on, by, merchantId);
  const today = dateIn(merchant.timezone, on.clockOf(by.tenantId).now());
  const wanted = days.filter(({ isCompared, state, date }) => !isCompared && state === 'open' && date <= today);
  if (wanted.length === 0) return;
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    for (const { date } of wanted) {
      const row = { tenant_id: TENANT, id: `${scope}/${date}`, scope, date, ...dueAt(later(realNow(), DELAY_MS)) };
      await work.change(
        queries
          .insertInto('reconciliation_comparisons')
          .values(row)
          .onConflict((known) => known.columns(['tenant_id', 'id']).doNothing()),
      );
    }
    work.afterCommit(() => on.scheduler.wake(COMPARE_JOB));
  });
}

/** Compares the days that were asked for. One of which the gateway gives no report is left for the next who asks. */
export function compareJob(
  on: Needs,
  report: (by: Actor, of: { readonly date: string; readonly merchantId?: string }) => Promise<Report>,
): Job<ComparisonRow> {
  return {
    name: COMPARE_JOB,
    table: COMPARISONS,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, fence, scope, date }) {
      const of = scope === WHOLE_TENANT ? { date } : { date, merchantId: scope };
      const compared = await report(serviceActor(tenant_id), of).catch(passing);
      await on.database.unitOfWork.run(tenant_id, (work) => work.delete(COMPARISONS, { id, fence }));
      return compared ? 'compared' : 'skipped';
    },
  };
}

function passing(error: unknown): null {
  if (error instanceof ServiceError) return null;
  throw error;
}
