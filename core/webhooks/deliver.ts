import { given, LostRace, lit, prepared, queriesOn, TENANT } from '#core/database';
import { step } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { attempt, type SecretBox, tried } from './attempt.ts';
import { DELIVERY_STEPS } from './delivery-steps.ts';
import type { Dependencies } from './dependencies.ts';
import type { EventBody } from './event.ts';
import { afterFailure, DELIVER_JOB, isOver } from './retry-schedule.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  CONCLUDE_DELIVERY,
  DELIVERIES,
  type DeliveryRow,
  ENDPOINTS,
  type EndpointStatus,
  EVENTS,
  type Target,
  UNBLOCK_NEXT,
} from './schema.ts';

/** Deliveries under way in this process, and of one endpoint. */
const AT_ONCE = 256;
const AT_ONCE_OF_ENDPOINT = 128;
/** An attempt takes five seconds at most; the rest is for writing it down. */
const LEASE_MS = 20_000;

/** With so many deliveries under way, results are committed together, which costs hardly more than one commit. */
const BUSY = 8;
const TOGETHER_MS = 4;

let underWay = 0;
let together: Promise<void> | undefined;

function writeTogether(): Promise<void> {
  together ??= new Promise<void>((resolve) => {
    setTimeout(() => {
      together = undefined;
      resolve();
    }, TOGETHER_MS);
  });
  return together;
}

/** Job that sends due deliveries, independently per endpoint and in order per resource (specification 6.1, decisions 8). */
export function deliverJob(deps: Dependencies, secrets: SecretBox): Job<DeliveryRow> {
  return {
    name: DELIVER_JOB,
    table: DELIVERIES,
    clock: 'tenant',
    counts: 'webhooks',
    atOnce: AT_ONCE,
    lane: { column: 'endpoint_id', of: ENDPOINTS, key: 'id', atOnce: AT_ONCE_OF_ENDPOINT },
    leaseMs: LEASE_MS,
    run: (row) => deliver(deps, secrets, row),
  };
}

async function deliver(deps: Dependencies, secrets: SecretBox, row: DeliveryRow): Promise<string> {
  const parcel = await deliveryContext(deps, row);
  if (!parcel) return discard(deps, row);
  if (parcel.status === 'disabled') return suspend(deps, row);
  if (parcel.earlier !== null) return blockBehind(deps, row, parcel.earlier);
  if (isOver(deps.clockOf(row.tenant_id).now(), row.first_attempt_ms)) return giveUp(deps, row);
  const endpoint: Target = { ...parcel, id: row.endpoint_id };
  const event: EventBody = { ...parcel, id: row.event_id };
  underWay += 1;
  try {
    const made = await attempt(deps, secrets, { endpoint, event, delivery: row, cause: 'automatic' });
    if (underWay >= BUSY) await writeTogether();
    return await conclude(deps, row, made);
  } finally {
    underWay -= 1;
  }
}

/** Endpoint and event of a delivery, and the earlier delivery of the same endpoint and resource that must end first. */
interface DeliveryContext extends Omit<Target, 'id'>, Omit<EventBody, 'id'> {
  readonly status: EndpointStatus;
  readonly earlier: string | null;
}

const queries = queriesOn(ENDPOINTS, EVENTS, DELIVERIES);
const PARCEL = prepared(
  queries
    .selectFrom('webhook_endpoints as w')
    .innerJoin('events as e', 'e.tenant_id', 'w.tenant_id')
    .select(['w.tenant_id', 'w.url', 'w.status', 'w.secret', 'w.previous_secret', 'w.previous_until_ms'])
    .select(['e.merchant_id', 'e.data', 'e.test', 'e.created_at'])
    .select(({ selectFrom }) =>
      selectFrom('webhook_deliveries as p')
        .select('p.id')
        .where('p.tenant_id', '=', TENANT)
        .where('p.endpoint_id', '=', given('endpoint'))
        .where('p.resource_id', '=', given('resource'))
        .where('p.status', '=', lit('pending'))
        .where(({ eb, refTuple, tuple }) => eb(refTuple('p.position', 'p.id'), '<', tuple(given<number>('position'), given<string>('id'))))
        .orderBy('p.position', 'desc')
        .orderBy('p.id', 'desc')
        .limit(1)
        .as('earlier'),
    )
    .where('w.tenant_id', '=', TENANT)
    .where('w.id', '=', given('endpoint'))
    .where('e.id', '=', given('event')),
);

/** Returns null if the endpoint no longer exists. */
async function deliveryContext(deps: Dependencies, row: DeliveryRow): Promise<DeliveryContext | null> {
  const { tenant_id, id, endpoint_id, event_id, resource_id, position } = row;
  return deps.database.read(tenant_id).row(PARCEL, { id, position, endpoint: endpoint_id, event: event_id, resource: resource_id });
}

/** Makes a delivery wait for its predecessor, which wakes it at its end. Both lock the predecessor's row, so that no wake-up is lost. */
async function blockBehind(deps: Dependencies, { tenant_id, id, fence }: DeliveryRow, earlier: string): Promise<string> {
  await deps.database.unitOfWork.run(tenant_id, async (work) => {
    const before = await work.lockOne(DELIVERIES, { id: earlier });
    const dueMs = before?.status === 'pending' ? null : deps.clockOf(tenant_id).now();
    await work.update(DELIVERIES, { id, fence }, released(dueMs));
  });
  return 'skipped';
}

/** Deletes a delivery whose endpoint was deleted while the event was being written. */
async function discard(deps: Dependencies, { tenant_id, id, fence }: DeliveryRow): Promise<string> {
  await deps.database.unitOfWork.run(tenant_id, (work) => work.delete(DELIVERIES, { id, fence }));
  return 'skipped';
}

/** Suspends a delivery of a disabled endpoint until it is enabled again. */
async function suspend(deps: Dependencies, { tenant_id, id, fence }: DeliveryRow): Promise<string> {
  await deps.database.unitOfWork.run(tenant_id, (work) => work.update(DELIVERIES, { id, fence }, released(null)));
  return 'skipped';
}

async function giveUp(deps: Dependencies, row: DeliveryRow): Promise<string> {
  await end(deps, row, { ...row, status: step(DELIVERY_STEPS, row.status, 'giveUp'), ...released(null) }, null);
  return 'skipped';
}

/** Records an attempt: delivered, tried again later, or at its end. */
async function conclude(deps: Dependencies, row: DeliveryRow, made: AttemptRow): Promise<string> {
  const tries = row.tries + 1;
  const result = { ...row, ...tried(made), tries, first_attempt_ms: row.first_attempt_ms ?? made.attempted_ms };
  if (made.error_kind === null)
    return end(deps, row, { ...result, status: step(DELIVERY_STEPS, row.status, 'deliver'), ...released(null) }, made);
  const { dueMs } = afterFailure(tries, made.attempted_ms, result.first_attempt_ms);
  return end(deps, row, { ...result, ...released(dueMs) }, made);
}

/** Writes the result of a claimed delivery. The end of a delivery unblocks the next one of its resource. */
async function end(deps: Dependencies, row: DeliveryRow, result: DeliveryRow, made: AttemptRow | null): Promise<string> {
  const { tenant_id, endpoint_id, resource_id } = row;
  const ended = result.status !== 'pending';
  try {
    await deps.database.unitOfWork.record(tenant_id, (batch) => {
      batch.guardedUpdate(CONCLUDE_DELIVERY, result);
      if (made) batch.insert(ATTEMPTS, made);
      if (ended) batch.apply(UNBLOCK_NEXT, { tenant_id, endpoint_id, resource_id, at_ms: deps.clockOf(tenant_id).now() });
      batch.afterCommit(() => {
        if (ended) deps.scheduler.wake(DELIVER_JOB);
        deps.changes.tell(tenant_id, 'webhooks');
      });
    });
  } catch (error) {
    // Another holder took the delivery over while this one slept: what it records counts.
    if (error instanceof LostRace) return 'skipped';
    throw error;
  }
  return result.status;
}
