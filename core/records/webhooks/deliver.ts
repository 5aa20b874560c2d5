import { LostRace } from '#core/database';
import { step } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { attemptColumns, type SendingDependencies, sendAttempt } from './attempt.ts';
import { createContexts } from './delivery-context.ts';
import { DELIVERY_STEPS } from './delivery-steps.ts';
import type { Dependencies } from './dependencies.ts';
import type { EventBody } from './event.ts';
import { afterFailure, DELIVER_JOB, isExpired } from './retry-schedule.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  CONCLUDE_DELIVERY,
  DELIVERIES,
  type DeliveryRow,
  ENDPOINTS,
  type Target,
  UNBLOCK_NEXT,
} from './schema.ts';
import type { SilentReceivers } from './silent-receivers.ts';

/** Maximum number of concurrent deliveries of this process, and of one endpoint. */
const CONCURRENCY_MAX = 256;
const ENDPOINT_CONCURRENCY_MAX = 128;
/** An attempt takes at most five seconds; the rest is for recording it. */
const LEASE_MS = 20_000;

/** From this number of concurrent deliveries on, results are committed in groups, which costs little more than one commit. */
const GROUP_COMMIT_FROM = 8;
const GROUP_COMMIT_DELAY_MS = 4;

let inFlight = 0;
let pendingGroup: Promise<void> | undefined;

function nextGroupCommit(): Promise<void> {
  pendingGroup ??= new Promise<void>((resolve) => {
    setTimeout(() => {
      pendingGroup = undefined;
      resolve();
    }, GROUP_COMMIT_DELAY_MS);
  });
  return pendingGroup;
}

/** Job that sends due deliveries, independently per endpoint and in order per resource. */
export function deliverJob(deps: SendingDependencies, silent: SilentReceivers): Job<DeliveryRow> {
  const contextOf = createContexts(deps.database);
  return {
    name: DELIVER_JOB,
    table: DELIVERIES,
    clock: 'tenant',
    countedAs: 'webhooks',
    concurrency: CONCURRENCY_MAX,
    lane: { column: 'endpoint_id', of: ENDPOINTS, key: 'id', concurrency: ENDPOINT_CONCURRENCY_MAX },
    leaseMs: LEASE_MS,
    run: (row) => deliver({ ...deps, silent }, contextOf, row),
  };
}

async function deliver(
  deps: SendingDependencies & { readonly silent: SilentReceivers },
  contextOf: ReturnType<typeof createContexts>,
  row: DeliveryRow,
): Promise<string> {
  const context = await contextOf(row);
  if (!context) return discard(deps, row);
  if (context.status === 'disabled') return suspend(deps, row);
  if (context.predecessorId !== null) return blockBehind(deps, row, context.predecessorId);
  if (isExpired(deps.clockOf(row.tenant_id).now(), row.first_attempt_ms)) return expire(deps, row, context.merchant_id);
  const endpoint: Target = { ...context, id: row.endpoint_id };
  const event: EventBody = { ...context, id: row.event_id };
  inFlight += 1;
  try {
    const attemptRow = await sendAttempt(deps, { endpoint, event, delivery: row, cause: 'automatic' }, deps.silent);
    if (inFlight >= GROUP_COMMIT_FROM) await nextGroupCommit();
    return await conclude(deps, row, attemptRow, context.merchant_id);
  } finally {
    inFlight -= 1;
  }
}

/** Makes a delivery wait until its predecessor is finished and wakes it. Both lock the row of the predecessor, so that no wake-up is lost. */
async function blockBehind(deps: Dependencies, { tenant_id, id, fence }: DeliveryRow, predecessorId: string): Promise<string> {
  await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const predecessor = await work.lockOne(DELIVERIES, { id: predecessorId });
    const dueMs = predecessor?.status === 'pending' ? null : deps.clockOf(tenant_id).now();
    await work.update(DELIVERIES, { id, fence }, released(dueMs));
  });
  return 'skipped';
}

/** Deletes a delivery whose endpoint was deleted while the event was being written. */
async function discard(deps: Dependencies, { tenant_id, id, fence }: DeliveryRow): Promise<string> {
  await deps.database.unitOfWork.transaction(tenant_id, (work) => work.delete(DELIVERIES, { id, fence }));
  return 'skipped';
}

/** Suspends a delivery of a disabled endpoint until it is enabled again. */
async function suspend(deps: Dependencies, { tenant_id, id, fence }: DeliveryRow): Promise<string> {
  await deps.database.unitOfWork.transaction(tenant_id, (work) => work.update(DELIVERIES, { id, fence }, released(null)));
  return 'skipped';
}

/** Ends a delivery whose seven days have expired. */
async function expire(deps: Dependencies, row: DeliveryRow, merchantId: string): Promise<string> {
  await end(deps, row, { ...row, status: step(DELIVERY_STEPS, row.status, 'expire'), ...released(null) }, null, merchantId);
  return 'skipped';
}

/** Records the result of an attempt: delivered, or to be retried. */
async function conclude(deps: Dependencies, row: DeliveryRow, attemptRow: AttemptRow, merchantId: string): Promise<string> {
  const tries = row.tries + 1;
  const result = { ...row, ...attemptColumns(attemptRow), tries, first_attempt_ms: row.first_attempt_ms ?? attemptRow.attempted_ms };
  if (attemptRow.error_kind === null)
    return end(deps, row, { ...result, status: step(DELIVERY_STEPS, row.status, 'deliver'), ...released(null) }, attemptRow, merchantId);
  const { dueMs } = afterFailure(tries, attemptRow.attempted_ms, result.first_attempt_ms);
  return end(deps, row, { ...result, ...released(dueMs) }, attemptRow, merchantId);
}

/** Writes the result of a claimed delivery. A finished delivery unblocks the next one of its resource. */
async function end(
  deps: Dependencies,
  row: DeliveryRow,
  result: DeliveryRow,
  attemptRow: AttemptRow | null,
  merchantId: string,
): Promise<string> {
  const { tenant_id, endpoint_id, resource_id } = row;
  const isEnded = result.status !== 'pending';
  try {
    await deps.database.unitOfWork.writeBatch(tenant_id, (batch) => {
      batch.guardedUpdate(CONCLUDE_DELIVERY, result);
      if (attemptRow) batch.insert(ATTEMPTS, attemptRow);
      if (isEnded) batch.apply(UNBLOCK_NEXT, { tenant_id, endpoint_id, resource_id, at_ms: deps.clockOf(tenant_id).now() });
      batch.afterCommit(() => {
        if (isEnded) deps.scheduler.wake(DELIVER_JOB, tenant_id);
        deps.changes.publish(tenant_id, 'webhooks', merchantId);
      });
    });
  } catch (error) {
    // Another server claimed the delivery after the lease of this one expired. Its result counts.
    if (error instanceof LostRace) return 'skipped';
    throw error;
  }
  return result.status;
}
