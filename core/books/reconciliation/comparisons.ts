import { queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, type Caller, dateIn, later, realNow, ServiceError, serviceActor } from '#core/kernel';
import { dueAt, type Job } from '#core/platform/scheduling';
import type { ChangeEvents } from '#core/processing/domain-events';
import { type Dependencies, scopeFor } from './dependencies.ts';
import type { Reconciliation, ReconciliationDay } from './records.ts';
import { COMPARISONS, type ComparisonRow, WHOLE_TENANT } from './schema.ts';

const queries = queriesOn(COMPARISONS);

const COMPARE_JOB = 'reconciliation.compare';
/** Days that are compared in parallel; each reads all lines of its day. */
const CONCURRENCY = 2;
const LEASE_MS = 600_000;
/** Delay, so that a day that a user opens in the meantime is not compared twice. */
const DELAY_MS = 1_000;

/** Requests the comparison of settled days that were not compared since their settlement. Open screens are notified when it is finished. */
export async function requestComparisons(
  deps: Dependencies,
  actor: Caller,
  merchantId: string | undefined,
  days: readonly ReconciliationDay[],
): Promise<void> {
  const { scope, merchant } = await scopeFor(deps, actor, merchantId);
  const today = dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now());
  const uncompared = days.filter(({ compared, state, date }) => !compared && state === 'open' && date <= today);
  if (uncompared.length === 0) return;
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    for (const { date } of uncompared) await requestComparison(deps, work, actor.tenantId, scope, date);
  });
}

/** Requests the comparison of a day in a unit of work. A request that waits already is enough. */
async function requestComparison(deps: Dependencies, work: Work, tenantId: string, scope: string, date: string): Promise<void> {
  const row = { tenant_id: TENANT, id: `${scope}/${date}`, scope, date, ...dueAt(later(realNow(), DELAY_MS)) };
  await work.execute(
    queries
      .insertInto('reconciliation_comparisons')
      .values(row)
      .onConflict((known) => known.columns(['tenant_id', 'id']).doNothing()),
  );
  work.afterCommit(() => deps.scheduler.wake(COMPARE_JOB, tenantId));
}

/** Compares a settled day with the report of the processor, in the unit of work that closes the settlement. */
export async function settlementClosed(
  deps: Dependencies,
  work: Work,
  { tenantId, merchantId, settlementDate }: ChangeEvents['settlement.closed'],
): Promise<void> {
  const merchant = await deps.merchantFor({ tenantId, merchantId: null }, merchantId);
  // The processor reports a delayed settlement on its own day. It is compared when that day is requested.
  if (settlementDate > dateIn(merchant.timezone, deps.clockOf(tenantId).now())) return;
  await requestComparison(deps, work, tenantId, merchantId, settlementDate);
}

/** Job that compares the requested days. A day without a report of the gateway waits for the next request. */
export function compareJob(
  deps: Dependencies,
  report: (actor: Actor, input: { readonly date: string; readonly merchantId?: string }) => Promise<Reconciliation>,
): Job<ComparisonRow> {
  return {
    name: COMPARE_JOB,
    table: COMPARISONS,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    longestWaitMs: 3_600_000,
    async run({ tenant_id, id, fence, scope, date }) {
      const input = scope === WHOLE_TENANT ? { date } : { date, merchantId: scope };
      const compared = await report(serviceActor(tenant_id), input).catch(ignoreServiceError);
      await deps.database.unitOfWork.transaction(tenant_id, (work) => work.delete(COMPARISONS, { id, fence }));
      return compared ? 'compared' : 'skipped';
    },
  };
}

function ignoreServiceError(error: unknown): null {
  if (error instanceof ServiceError) return null;
  throw error;
}
