import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { listOf, lit, queriesOn, type Read, sql, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, later, newId, realNow, refused, ServiceError, type Steps, step } from '#core/kernel';
import { ACCOUNT_ONLY } from '#core/platform/change-feed';
import { dueAt, type Job, released } from '#core/platform/scheduling';
import type { EventType } from '#shared/webhook-events';
import { eventStartOf, lockEventStart } from './archive-start.ts';
import type { Dependencies } from './dependencies.ts';
import { newestEventNumber, rangesFor, rangesWith } from './event-counts.ts';
import { numberOf, typesNamed } from './history.ts';
import { newDelivery } from './new-delivery.ts';
import type { CatchUp } from './records.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { CATCH_UPS, type CatchUpRow, type CatchUpState, DELIVERIES, ENDPOINTS, type EndpointRow, EVENTS, SUBSCRIPTIONS } from './schema.ts';
import { deliveredTypes, subscribe } from './subscriptions.ts';

const CATCH_UP_JOB = 'webhooks.catch-up';
/** Maximum number of open deliveries that a catch-up leaves to the receiver. */
const OPEN_MAX = 256;
const LEASE_MS = 20_000;
const AGAIN_MS = 100;
/** Interval of checks while the receiver does not accept what was sent. */
const AGAIN_IDLE_MS = 1_000;

/** Start of a catch-up: after an event, or at a time. */
export interface CatchUpRequest {
  readonly fromEventId?: string;
  /** ISO 8601 time. */
  readonly from?: string;
  /** Types that are sent again; those of the endpoint if absent. */
  readonly types?: readonly string[];
}

const STEPS: Steps<CatchUpState, 'finish' | 'stop'> = {
  running: { finish: 'done', stop: 'stopped' },
  done: {
    finish: refused('RESOURCE_CONFLICT', 'This catch-up has ended.'),
    stop: refused('RESOURCE_CONFLICT', 'This catch-up has ended.'),
  },
  stopped: {
    finish: refused('RESOURCE_CONFLICT', 'This catch-up was stopped.'),
    stop: refused('RESOURCE_CONFLICT', 'This catch-up was already stopped.'),
  },
};

const queries = queriesOn(EVENTS, DELIVERIES, ENDPOINTS, CATCH_UPS);

/** A request with its cursor and the number of events up to a known one, counted before the history is locked. */
interface Prepared {
  readonly types: readonly EventType[];
  readonly from: string | null;
  readonly cursor: number;
  readonly countedUntil: number;
  readonly counted: number;
}

/**
 * Starts to send the earlier events of a period to an endpoint, in the order of the history, and then those that happen in the meantime. Each event is
 * delivered once: events that the endpoint was sent already are left out.
 * @throws ServiceError RESOURCE_CONFLICT if one is running or the endpoint is disabled; NOT_FOUND on `fromEventId`; VALIDATION_ERROR on `types`.
 */
export async function startCatchUp(deps: Dependencies, actor: Actor, endpoint: EndpointRow, request: CatchUpRequest): Promise<CatchUp> {
  const prepared = await prepareCatchUp(deps, actor, endpoint, request);
  const row = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const current = await work.lockOne(ENDPOINTS, { id: endpoint.id });
    if (current?.status !== 'active')
      throw new ServiceError('RESOURCE_CONFLICT', 'This endpoint is disabled. Enable it before the catch-up.', {
        details: { id: endpoint.id },
      });
    const last = await work.lockOne(CATCH_UPS, { endpoint_id: endpoint.id });
    if (last?.state === 'running')
      throw new ServiceError('RESOURCE_CONFLICT', 'A catch-up of this endpoint is running. Stop it first.', {
        details: { catchUpId: last.id },
      });
    await work.delete(CATCH_UPS, { endpoint_id: endpoint.id });
    return beginCatchUp(deps, work, actor, current, prepared);
  });
  return toCatchUp(deps.database.read(actor.tenantId), row);
}

/** Reads the cursor of a request and counts its events, outside of the unit of work that locks the history. */
export async function prepareCatchUp(
  deps: Dependencies,
  actor: Actor,
  endpoint: Pick<EndpointRow, 'id' | 'events' | 'merchant_id' | 'mark'>,
  { fromEventId, from: start, types }: CatchUpRequest,
): Promise<Prepared> {
  const read = deps.database.read(actor.tenantId);
  const from = start ?? null;
  const registered = deliveredTypes(endpoint);
  const chosen = types === undefined ? [...registered.keys()] : typesNamed(types, 'types');
  const other = chosen.find((type) => !registered.has(type));
  if (other !== undefined || chosen.length === 0)
    throw new ServiceError(
      'VALIDATION_ERROR',
      `\`types\` must be types that this endpoint receives${other === undefined ? '' : `, not ${other}`}.`,
      {
        field: 'types',
      },
    );
  const { closed_n: archived } = await eventStartOf(read);
  const cursor = Math.max(archived, fromEventId === undefined ? 0 : await numberOf(read, actor, fromEventId, 'fromEventId'));
  const countedUntil = await newestEventNumber(read);
  const selection = { types: chosen, merchantId: endpoint.merchant_id, from: start, after: cursor, before: countedUntil + 1 };
  // Ranges without counters are kept: they are counted below, without events that were sent.
  const ranges = rangesFor(await rangesWith(read, selection, countedUntil, async () => 1), Number.POSITIVE_INFINITY, true);
  let counted = 0;
  for (const { after, through } of ranges)
    for (let first = after; first < (through ?? countedUntil); first += EVENTS_PER_COUNT) {
      const until = Math.min(first + EVENTS_PER_COUNT, through ?? countedUntil);
      counted += await countMissing(read, endpoint, { types: chosen, from, after: first, until });
      await yieldToOthers();
    }
  return { types: chosen, from, cursor: ranges[0]?.after ?? countedUntil, countedUntil, counted };
}

/** Numbers that one statement looks through. Other requests run between two statements. */
const EVENTS_PER_COUNT = 10_000;

/** Writes a catch-up in the unit of work of the caller, which has locked or created the endpoint. */
export async function beginCatchUp(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  endpoint: EndpointRow,
  { types, from, cursor, countedUntil, counted }: Prepared,
): Promise<CatchUpRow> {
  const { closed_n: archived } = await lockEventStart(work);
  const until = await lockHistory(work);
  const now = deps.clockOf(actor.tenantId).now();
  const row: CatchUpRow = {
    tenant_id: actor.tenantId,
    id: newId('cup', now),
    endpoint_id: endpoint.id,
    state: 'running',
    types: JSON.stringify(types),
    from_at: from,
    cursor: Math.max(cursor, archived),
    until,
    total: counted + (await countMissing(work, endpoint, { types, from, after: Math.max(cursor, countedUntil), until })),
    queued: 0,
    created_at: isoTime(now),
    ...dueAt(realNow()),
  };
  await work.delete(SUBSCRIPTIONS, { endpoint_id: endpoint.id });
  work.insert(CATCH_UPS, row);
  deps.audit(work, {
    actor,
    action: 'webhook.catch_up_started',
    resource: `webhooks/${endpoint.id}`,
    merchantId: endpoint.merchant_id,
    after: { events: row.total, from },
  });
  work.afterCommit(() => {
    deps.scheduler.wake(CATCH_UP_JOB, actor.tenantId);
    deps.changes.publish(actor.tenantId, 'webhooks', endpoint.merchant_id ?? ACCOUNT_ONLY);
  });
  return row;
}

/** Returns the last catch-up of an endpoint; null if there was none. */
export async function lastCatchUp(read: Read, endpointId: string): Promise<CatchUp | null> {
  const row = await read.one(CATCH_UPS, { endpoint_id: endpointId });
  return row && toCatchUp(read, row);
}

/** Same as `lastCatchUp`. @throws ServiceError NOT_FOUND if there was none. */
export async function getCatchUp(deps: Dependencies, actor: Actor, endpointId: string): Promise<CatchUp> {
  return (await lastCatchUp(deps.database.read(actor.tenantId), endpointId)) ?? noCatchUp(endpointId);
}

/** Stops a catch-up: queued deliveries are still sent, and so are the events since its start. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT. */
export async function stopCatchUp(deps: Dependencies, actor: Actor, endpoint: EndpointRow): Promise<CatchUp> {
  const row = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const current = (await work.lockOne(ENDPOINTS, { id: endpoint.id })) ?? noCatchUp(endpoint.id);
    const running = (await work.lockOne(CATCH_UPS, { endpoint_id: endpoint.id })) ?? noCatchUp(endpoint.id);
    const ended = await endCatchUp(deps, work, current, running, 'stop');
    deps.audit(work, {
      actor,
      action: 'webhook.catch_up_stopped',
      resource: `webhooks/${endpoint.id}`,
      merchantId: endpoint.merchant_id,
    });
    return ended;
  });
  return toCatchUp(deps.database.read(actor.tenantId), row);
}

/** Stops the catch-up of a locked endpoint if one is running, in the unit of work of the caller. */
export async function stopIfRunning(deps: Dependencies, work: Work, endpoint: EndpointRow): Promise<void> {
  const row = await work.lockOne(CATCH_UPS, { endpoint_id: endpoint.id });
  if (row?.state === 'running') await endCatchUp(deps, work, endpoint, row, 'stop');
}

/** Returns true if a catch-up adds the deliveries of an endpoint, which then has no subscriptions. */
export async function isCatchingUp(work: Work, endpointId: string): Promise<boolean> {
  return (await work.one(CATCH_UPS, { endpoint_id: endpointId }))?.state === 'running';
}

/** Job that queues the deliveries of catch-ups, as many as the receiver takes. */
export function catchUpJob(deps: Dependencies): Job<CatchUpRow> {
  return {
    name: CATCH_UP_JOB,
    table: CATCH_UPS,
    clock: 'real',
    concurrency: 4,
    leaseMs: LEASE_MS,
    longestWaitMs: 3_600_000,
    run: (row) => continueCatchUp(deps, row),
  };
}

async function continueCatchUp(deps: Dependencies, { tenant_id, id, endpoint_id, fence }: CatchUpRow): Promise<string> {
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const endpoint = await work.lockOne(ENDPOINTS, { id: endpoint_id });
    const row = await work.lockOne(CATCH_UPS, { id, fence });
    if (!endpoint || row?.state !== 'running') return 'skipped';
    const open = await openDeliveries(work, endpoint_id);
    const room = OPEN_MAX - open.all;
    const isHistorySent = row.cursor >= row.until && open.first === 0;
    const newest = isHistorySent ? await newestEventNumber(work) : row.until;
    if (isHistorySent && newest - row.cursor <= OPEN_MAX) {
      await endCatchUp(deps, work, endpoint, row, 'finish');
      return 'done';
    }
    const part = partOf(endpoint, row, newest);
    const made = room > 0 ? await queueDeliveries(deps, work, endpoint, part, room) : { count: 0, cursor: row.cursor };
    await work.update(
      CATCH_UPS,
      { id },
      {
        cursor: made.cursor,
        queued: row.queued + (isHistorySent ? 0 : made.count),
        ...released(later(realNow(), made.count > 0 || room > 0 ? AGAIN_MS : AGAIN_IDLE_MS)),
      },
    );
    wakeAfterCommit(deps, work, endpoint);
    return 'queued';
  });
}

/** The events that a catch-up considers next: those of the request, and after its start those of the endpoint. */
function partOf(endpoint: EndpointRow, row: CatchUpRow, newest: number): Part {
  return row.cursor < row.until
    ? { types: JSON.parse(row.types) as EventType[], from: row.from_at, after: row.cursor, until: row.until }
    : { types: [...deliveredTypes(endpoint).keys()], from: null, after: row.cursor, until: newest };
}

/**
 * Ends a catch-up: queues the events since its start, and subscribes the endpoint again, while the history is locked. No event is committed in between,
 * so none is lost or delivered twice.
 */
async function endCatchUp(
  deps: Dependencies,
  work: Work,
  endpoint: EndpointRow,
  row: CatchUpRow,
  how: 'finish' | 'stop',
): Promise<CatchUpRow> {
  const state = step(STEPS, row.state, how);
  const until = await lockHistory(work);
  const part = partOf(endpoint, { ...row, cursor: Math.max(row.cursor, row.until) }, until);
  await queueDeliveries(deps, work, endpoint, part, until);
  await work.delete(SUBSCRIPTIONS, { endpoint_id: endpoint.id });
  subscribe(work, endpoint);
  const set = { state, cursor: until, ...released(null) };
  await work.update(CATCH_UPS, { id: row.id }, set);
  wakeAfterCommit(deps, work, endpoint);
  return { ...row, ...set };
}

function wakeAfterCommit(deps: Dependencies, work: Work, { tenant_id: tenantId, merchant_id: merchantId }: EndpointRow): void {
  work.afterCommit(() => {
    deps.scheduler.wake(DELIVER_JOB, tenantId);
    deps.scheduler.wake(CATCH_UP_JOB, tenantId);
    deps.changes.publish(tenantId, 'webhooks', merchantId ?? ACCOUNT_ONLY);
  });
}

/** Locks the end of the history until the commit, so that no other event is numbered, and returns its number. */
async function lockHistory(work: Work): Promise<number> {
  await work.run('INSERT INTO event_heads (tenant_id, n) VALUES (:tenantId, 0) ON CONFLICT (tenant_id) DO UPDATE SET n = event_heads.n');
  return newestEventNumber(work);
}

/** A part of the history by number, and the events of it that are sent. */
interface Part {
  readonly types: readonly EventType[];
  readonly from: string | null;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly until: number;
}

/** Returns the query for the events of a part that an endpoint has no delivery of. */
function missingEvents(endpoint: Pick<EndpointRow, 'merchant_id' | 'mark'>, { types, from, after, until }: Part) {
  let events = queries
    .selectFrom('events as e')
    .where('e.tenant_id', '=', TENANT)
    .where('e.n', '>', after)
    .where('e.n', '<=', until)
    .where('e.test', '=', lit(0))
    .where('e.type', 'in', listOf(types) as EventType[])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries as d')
            .select('d.id')
            .where('d.tenant_id', '=', TENANT)
            .where('d.id', '=', sql<string>`'dlv_' || substr(e.id, 5, 24) || ${endpoint.mark}`),
        ),
      ),
    );
  if (endpoint.merchant_id !== null) events = events.where('e.merchant_id', '=', endpoint.merchant_id);
  return from === null ? events : events.where('e.created_at', '>=', from);
}

async function countMissing(read: Read, endpoint: Pick<EndpointRow, 'merchant_id' | 'mark'>, part: Part): Promise<number> {
  if (part.until <= part.after) return 0;
  const row = await read.row(missingEvents(endpoint, part).select(({ fn }) => fn.countAll<number>().as('n')));
  return Number(row?.n ?? 0);
}

/** Queues at most `limit` deliveries of a part. Returns their number and the number of the last event that was considered. */
async function queueDeliveries(
  deps: Dependencies,
  work: Work,
  endpoint: EndpointRow,
  part: Part,
  limit: number,
): Promise<{ count: number; cursor: number }> {
  if (part.until <= part.after) return { count: 0, cursor: part.after };
  const events = await work.rows(
    missingEvents(endpoint, part).select(['e.id', 'e.n', 'e.type', 'e.resource_id', 'e.created_at']).orderBy('e.n').limit(limit),
  );
  const names = deliveredTypes(endpoint);
  const now = deps.clockOf(endpoint.tenant_id).now();
  for (const event of events) work.insert(DELIVERIES, newDelivery(event, endpoint, names.get(event.type) ?? event.type, now));
  return { count: events.length, cursor: events.length < limit ? part.until : Number(events.at(-1)?.n ?? part.until) };
}

/** Returns the numbers of pending deliveries of an endpoint: all, and those whose first attempt is due or running. */
async function openDeliveries(read: Read, endpointId: string): Promise<{ readonly all: number; readonly first: number }> {
  const pending = queries
    .selectFrom('webhook_deliveries')
    .where('tenant_id', '=', TENANT)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', lit('pending'));
  const row = await read.row(
    pending.select(({ fn, eb }) => [
      fn.countAll<number>().as('n'),
      fn
        .sum<number | null>(
          eb
            .case()
            .when(eb.and([eb('attempt_count', '=', lit(0)), eb('due_ms', 'is not', null)]))
            .then(lit(1))
            .else(lit(0))
            .end(),
        )
        .as('first'),
    ]),
  );
  return { all: Number(row?.n ?? 0), first: Number(row?.first ?? 0) };
}

async function toCatchUp(read: Read, { id, endpoint_id, state, queued, total, until, created_at }: CatchUpRow): Promise<CatchUp> {
  const unsent = await read.row(
    queries
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('tenant_id', '=', TENANT)
      .where('endpoint_id', '=', endpoint_id)
      .where('status', '=', lit('pending'))
      .where('attempt_count', '=', lit(0))
      .where('position', '<=', until),
  );
  const sent = Math.max(0, Number(queued) - Number(unsent?.n ?? 0));
  return { catchUpId: id, state, sent, total: Number(total), createdAt: created_at };
}

function noCatchUp(endpointId: string): never {
  throw new ServiceError('NOT_FOUND', 'This endpoint has had no catch-up.', { details: { id: endpointId } });
}
