import { given, LostRace, lit, prepared, queriesOn, TENANT } from '#core/database';
import { step } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { attempt, type SecretBox, tried } from './attempt.ts';
import { DELIVERY_STEPS } from './delivery-steps.ts';
import type { Told } from './event.ts';
import type { Needs } from './needs.ts';
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
  REVIVE_NEXT,
  type Target,
} from './schema.ts';

/** Deliveries under way in this process, and of one endpoint. */
const AT_ONCE = 256;
const AT_ONCE_OF_ENDPOINT = 128;
/** An attempt takes five seconds at most; the rest is for writing it down. */
const LEASE_MS = 20_000;

/** With so many under way, results wait a moment for each other: a commit for many costs hardly more than one. */
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

/** Makes the deliveries that are due: each endpoint apart from the others, and of one resource one after the other (specification 6.1, decisions 8). */
export function deliverJob(on: Needs, secrets: SecretBox): Job<DeliveryRow> {
  return {
    name: DELIVER_JOB,
    table: DELIVERIES,
    clock: 'tenant',
    counts: 'webhooks',
    atOnce: AT_ONCE,
    lane: { column: 'endpoint_id', of: ENDPOINTS, key: 'id', atOnce: AT_ONCE_OF_ENDPOINT },
    leaseMs: LEASE_MS,
    run: (row) => deliver(on, secrets, row),
  };
}

async function deliver(on: Needs, secrets: SecretBox, row: DeliveryRow): Promise<string> {
  const parcel = await parcelOf(on, row);
  if (!parcel) return drop(on, row);
  if (parcel.status === 'disabled') return rest(on, row);
  if (parcel.earlier !== null) return park(on, row, parcel.earlier);
  if (isOver(on.clockOf(row.tenant_id).now(), row.first_attempt_ms)) return giveUp(on, row);
  const endpoint: Target = { ...parcel, id: row.endpoint_id };
  const event: Told = { ...parcel, id: row.event_id };
  underWay += 1;
  try {
    const made = await attempt(on, secrets, { endpoint, event, delivery: row, cause: 'automatic' });
    if (underWay >= BUSY) await writeTogether();
    return await conclude(on, row, made);
  } finally {
    underWay -= 1;
  }
}

/** What a delivery needs of its endpoint and its event, and the delivery of the same endpoint and resource that must be over first. */
interface Parcel extends Omit<Target, 'id'>, Omit<Told, 'id'> {
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

/** null when the endpoint is gone. */
async function parcelOf(on: Needs, row: DeliveryRow): Promise<Parcel | null> {
  const { tenant_id, id, endpoint_id, event_id, resource_id, position } = row;
  return on.database.read(tenant_id).row(PARCEL, { id, position, endpoint: endpoint_id, event: event_id, resource: resource_id });
}

/** Lets a delivery wait for the one before it, which wakes it when it ends: both hold that one's row, so neither can miss the other. */
async function park(on: Needs, { tenant_id, id, fence }: DeliveryRow, earlier: string): Promise<string> {
  await on.database.unitOfWork.run(tenant_id, async (work) => {
    const before = await work.lockOne(DELIVERIES, { id: earlier });
    const dueMs = before?.status === 'pending' ? null : on.clockOf(tenant_id).now();
    await work.update(DELIVERIES, { id, fence }, released(dueMs));
  });
  return 'skipped';
}

/** Its endpoint was deleted while the event was being written. */
async function drop(on: Needs, { tenant_id, id, fence }: DeliveryRow): Promise<string> {
  await on.database.unitOfWork.run(tenant_id, (work) => work.delete(DELIVERIES, { id, fence }));
  return 'skipped';
}

/** A disabled endpoint keeps what it was owed before; it goes on when it is active again. */
async function rest(on: Needs, { tenant_id, id, fence }: DeliveryRow): Promise<string> {
  await on.database.unitOfWork.run(tenant_id, (work) => work.update(DELIVERIES, { id, fence }, released(null)));
  return 'skipped';
}

async function giveUp(on: Needs, row: DeliveryRow): Promise<string> {
  await end(on, row, { ...row, status: step(DELIVERY_STEPS, row.status, 'giveUp'), ...released(null) }, null);
  return 'skipped';
}

/** Records an attempt: delivered, tried again later, or at its end. */
async function conclude(on: Needs, row: DeliveryRow, made: AttemptRow): Promise<string> {
  const tries = row.tries + 1;
  const result = { ...row, ...tried(made), tries, first_attempt_ms: row.first_attempt_ms ?? made.attempted_ms };
  if (made.error_kind === null)
    return end(on, row, { ...result, status: step(DELIVERY_STEPS, row.status, 'deliver'), ...released(null) }, made);
  const { dueMs } = afterFailure(tries, made.attempted_ms, result.first_attempt_ms);
  return end(on, row, { ...result, ...released(dueMs) }, made);
}

/** Writes what became of a claimed delivery; one that has ended lets the next of its resource go. */
async function end(on: Needs, row: DeliveryRow, result: DeliveryRow, made: AttemptRow | null): Promise<string> {
  const { tenant_id, endpoint_id, resource_id } = row;
  const ended = result.status !== 'pending';
  try {
    await on.database.unitOfWork.record(tenant_id, (batch) => {
      batch.settle(CONCLUDE_DELIVERY, result);
      if (made) batch.insert(ATTEMPTS, made);
      if (ended) batch.apply(REVIVE_NEXT, { tenant_id, endpoint_id, resource_id, at_ms: on.clockOf(tenant_id).now() });
      batch.afterCommit(() => {
        if (ended) on.scheduler.wake(DELIVER_JOB);
        on.changes.tell(tenant_id, 'webhooks');
      });
    });
  } catch (error) {
    // Another holder took the delivery over while this one slept: what it records counts.
    if (error instanceof LostRace) return 'skipped';
    throw error;
  }
  return result.status;
}
