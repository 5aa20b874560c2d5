import { UniqueViolation } from '#core/database';
import { type Caller, isoTime, later, realNow } from '#core/kernel';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { DISPUTE_WATCHES, type DisputeWatchRow } from '../report-schema.ts';
import { recordReport } from './record.ts';

export const REPORTS_JOB = 'disputes.read-reports';

const DAY_MS = 86_400_000;
/** Interval at which the chargebacks of a gateway are read. */
const READ_EVERY_MS = 12 * 3_600_000;
const RETRY_DELAY_MS = 3_600_000;
/** Each search covers some days again, because processors may report chargebacks late. */
const OVERLAP_MS = 5 * DAY_MS;
/** Period of the first search of a gateway. */
const FIRST_SEARCH_MS = 60 * DAY_MS;
const CONCURRENCY = 2;
const LEASE_MS = 1_800_000;

/** Job that reads the chargebacks that processors report, in real time. */
export function reportsJob(deps: Dependencies): Job<DisputeWatchRow> {
  return {
    name: REPORTS_JOB,
    table: DISPUTE_WATCHES,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    longestWaitMs: READ_EVERY_MS,
    async run({ tenant_id, id, fence, read_until }) {
      const now = realNow();
      const isRead = await readReports(deps, tenant_id, id, { from: isoTime(Date.parse(read_until) - OVERLAP_MS), to: isoTime(now) });
      const set = isRead ? { read_until: isoTime(now), ...released(later(now, READ_EVERY_MS)) } : released(later(now, RETRY_DELAY_MS));
      await deps.database.unitOfWork.transaction(tenant_id, (work) => work.update(DISPUTE_WATCHES, { id, fence }, set));
      return isRead ? 'read' : 'failed';
    },
  };
}

/** Records the reports of a period. Returns false if a part could not be read or recorded, so that the period is read again. */
async function readReports(
  deps: Dependencies,
  tenantId: string,
  gatewayId: string,
  period: { from: string; to: string },
): Promise<boolean> {
  let isComplete = true;
  const failed = (message: string, cause: unknown) => {
    isComplete = false;
    deps.report(message, { gatewayId, cause });
  };
  try {
    const connector = await deps.gateways.connectorFor(tenantId, gatewayId);
    // A payment that is being changed refuses the report until later; the other reports do not wait for it.
    for await (const page of connector.disputes?.({ tenantId, ...period }) ?? [])
      for (const report of page)
        await recordReport(deps, { tenantId, gatewayId, processor: connector.name, report }).catch((cause: unknown) =>
          failed('A chargeback could not be recorded. Recording it will be retried', cause),
        );
  } catch (cause) {
    failed('The chargebacks of a gateway could not be read. Reading them will be retried', cause);
  }
  return isComplete;
}

/** Schedules the reading of every gateway of a live tenant that is not watched yet. Step of the hourly clean-up. */
export async function watchGateways(deps: Dependencies, tenantId: string): Promise<void> {
  if (!deps.gateways.isLive(tenantId)) return;
  const watched = new Set((await deps.database.read(tenantId).find(DISPUTE_WATCHES, {})).map(({ id }) => id));
  const added = (await deps.gatewayIds(tenantId)).filter((id) => !watched.has(id));
  if (added.length === 0) return;
  const now = realNow();
  try {
    await deps.database.unitOfWork.transaction(tenantId, async (work) => {
      for (const id of added)
        work.insert(DISPUTE_WATCHES, { tenant_id: tenantId, id, read_until: isoTime(now - FIRST_SEARCH_MS), ...dueAt(now) });
    });
  } catch (error) {
    // Another server has scheduled them.
    if (!(error instanceof UniqueViolation)) throw error;
  }
  deps.wake(REPORTS_JOB, tenantId);
}

/** Reads the chargebacks of the caller's gateways soon, in the background. Returns the number of gateways; 0 in a sandbox. */
export async function checkGateways(deps: Dependencies, { tenantId, merchantId }: Caller): Promise<number> {
  if (!deps.gateways.isLive(tenantId)) return 0;
  await watchGateways(deps, tenantId);
  const ids = await deps.gatewayIds(tenantId, merchantId ?? undefined);
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    for (const id of ids) await work.update(DISPUTE_WATCHES, { id }, { due_ms: realNow() });
  });
  deps.wake(REPORTS_JOB, tenantId);
  return ids.length;
}
