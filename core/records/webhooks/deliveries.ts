import { lit, newestPage, type Page, type PageRequest, queriesOn, TENANT, timeOf, type Work } from '#core/database';
import { type Actor, isoTime, ServiceError, step } from '#core/kernel';
import { ACCOUNT_ONLY } from '#core/platform/change-feed';
import { claimRow, released } from '#core/platform/scheduling';
import { WEBHOOK_EVENTS } from '#shared/webhook-events';
import { lockEventStart, refuseArchived } from './archive-start.ts';
import { attemptColumns, type SendingDependencies, sendAttempt } from './attempt.ts';
import { DELIVERY_STEPS } from './delivery-steps.ts';
import type { Dependencies } from './dependencies.ts';
import { eventRow } from './emit.ts';
import { readEndpoint } from './endpoints.ts';
import { type DeliveryError, renderBody } from './event.ts';
import { eventTypeOf } from './event-type.ts';
import { newDelivery } from './new-delivery.ts';
import type { Delivery, DeliveryAttempt, DeliveryDetail } from './records.ts';
import { DELIVER_JOB, isExpired } from './retry-schedule.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  DELIVERIES,
  type DeliveryRow,
  type DeliveryStatus,
  ENDPOINTS,
  type EndpointRow,
  EVENTS,
  type EventRow,
  HISTORY,
  type Trigger,
  UNBLOCK_NEXT,
} from './schema.ts';

/** Lease of attempts whose caller waits; as long as that of the job. */
const LEASE_MS = 20_000;
const DELIVERIES_OF_RESOURCE_MAX = 100;

/** An event on its way to one endpoint. */
const queries = queriesOn(DELIVERIES, ENDPOINTS);

export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly eventType?: string;
  readonly resourceId?: string;
}

export async function listDeliveries(
  deps: Dependencies,
  actor: Actor,
  endpointId: string,
  filter: DeliveryFilter,
  pageRequest: PageRequest,
): Promise<Page<Delivery>> {
  const read = deps.database.read(actor.tenantId);
  await readEndpoint(read, actor, endpointId);
  const { status, eventType, resourceId } = filter;
  const where = { endpoint_id: endpointId, status, event_type: eventType, resource_id: resourceId };
  const page = await newestPage(read, DELIVERIES, 'dlv', where, pageRequest);
  return { ...page, items: page.items.map(toDelivery) };
}

/** Returns the deliveries of a resource to the endpoints that the caller may see; newest first, at most 100. */
export async function deliveriesOf(deps: Dependencies, actor: Actor, resourceId: string): Promise<Delivery[]> {
  let deliveries = queries
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as e', (join) => join.onRef('e.tenant_id', '=', 'd.tenant_id').onRef('e.id', '=', 'd.endpoint_id'))
    .selectAll('d')
    .where('d.tenant_id', '=', TENANT)
    .where('d.resource_id', '=', resourceId)
    .orderBy('d.id', 'desc')
    .limit(DELIVERIES_OF_RESOURCE_MAX);
  if (actor.merchantId !== null) deliveries = deliveries.where('e.merchant_id', '=', actor.merchantId);
  const rows = await deps.database.read(actor.tenantId).rows(deliveries);
  return rows.map(toDelivery);
}

export async function getDelivery(deps: Dependencies, actor: Actor, endpointId: string, deliveryId: string): Promise<DeliveryDetail> {
  const read = deps.database.read(actor.tenantId);
  await readEndpoint(read, actor, endpointId);
  const row = await read.one(DELIVERIES, { id: deliveryId, endpoint_id: endpointId });
  if (!row) return deliveryNotFound(deliveryId);
  const event = await eventOf(deps, row);
  const attempts = await read.find(ATTEMPTS, { delivery_id: deliveryId }, { orderBy: [['n', 'asc']] });
  return { ...toDelivery(row), body: renderBody(event, row.event_type), attempts: attempts.map(toAttempt) };
}

/** Sends a sample event of a type immediately and only once. */
export async function testEndpoint(
  deps: SendingDependencies,
  actor: Actor,
  endpointId: string,
  eventType: string,
): Promise<DeliveryDetail> {
  const type = eventTypeOf(eventType, 'eventType');
  const endpoint = await readEndpoint(deps.database.read(actor.tenantId), actor, endpointId);
  const { merchantId } = await deps.merchantFor(actor, endpoint.merchant_id ?? undefined);
  const atMs = deps.clockOf(actor.tenantId).now();
  const made = eventRow(
    { tenantId: actor.tenantId, merchantId, type, resourceId: '', atMs, data: WEBHOOK_EVENTS[type].sample(isoTime(atMs)) },
    true,
  );
  // Has its own resource, so it neither waits for other deliveries nor blocks them.
  const event: EventRow = { ...made, resource_id: made.id };
  const delivery: DeliveryRow = { ...newDelivery(event, endpoint, eventType, null), test: 1, status: 'failed' };
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    work.append(HISTORY, event);
    work.insert(DELIVERIES, delivery);
    deps.audit(work, {
      actor,
      action: 'webhook.tested',
      resource: `webhooks/${endpointId}`,
      merchantId: endpoint.merchant_id,
      after: { eventType },
    });
  });
  return sendNow(deps, actor, endpoint, delivery.id, 'test');
}

/**
 * Sends the stored event of a delivery again immediately. A success marks it as delivered; a failure changes neither its status nor its schedule.
 * @throws ServiceError RESOURCE_CONFLICT while it is being sent.
 */
export async function redeliver(deps: SendingDependencies, actor: Actor, endpointId: string, deliveryId: string): Promise<DeliveryDetail> {
  const endpoint = await readEndpoint(deps.database.read(actor.tenantId), actor, endpointId);
  const sent = await sendNow(deps, actor, endpoint, deliveryId, 'manual');
  const entry = {
    actor,
    action: 'webhook.redelivered',
    resource: `webhooks/${endpointId}/deliveries/${deliveryId}`,
    merchantId: endpoint.merchant_id,
  };
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) =>
    deps.audit(work, { ...entry, after: { status: sent.status } }),
  );
  return sent;
}

/** Restarts the schedule of every failed delivery of an endpoint since a time, without test deliveries. */
export async function redeliverFailed(
  deps: Dependencies,
  actor: Actor,
  endpointId: string,
  since: string,
): Promise<{ redelivered: number }> {
  const endpoint = await readEndpoint(deps.database.read(actor.tenantId), actor, endpointId);
  const redelivered = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const { closed_n: archived } = await lockEventStart(work);
    work.afterCommit(() => {
      deps.scheduler.wake(DELIVER_JOB, actor.tenantId);
      deps.changes.publish(actor.tenantId, 'webhooks', endpoint.merchant_id ?? ACCOUNT_ONLY);
    });
    deps.audit(work, {
      actor,
      action: 'webhook.redelivered',
      resource: `webhooks/${endpointId}/deliveries`,
      merchantId: endpoint.merchant_id,
      after: { since },
    });
    return work.execute(
      queries
        .updateTable('webhook_deliveries')
        .set({
          status: step(DELIVERY_STEPS, 'failed', 'restart'),
          tries: 0,
          first_attempt_ms: null,
          due_ms: deps.clockOf(actor.tenantId).now(),
        })
        .where('tenant_id', '=', TENANT)
        .where('endpoint_id', '=', endpointId)
        .where('status', '=', lit('failed'))
        .where('test', '=', lit(0))
        .where('lease_ms', '<=', timeOf(deps.database))
        .where('created_at', '>=', since)
        .where('position', '>', archived),
    );
  });
  return { redelivered };
}

/** Sends a delivery immediately, and returns it with its attempts. @throws ServiceError RESOURCE_CONFLICT while it is being sent. */
export async function sendNow(
  deps: SendingDependencies,
  actor: Actor,
  endpoint: EndpointRow,
  deliveryId: string,
  cause: Trigger,
): Promise<DeliveryDetail> {
  const claimed = await claim(deps, actor, endpoint.id, deliveryId);
  const made = await sendAttempt(deps, { endpoint, event: await eventOf(deps, claimed), delivery: claimed, cause });
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await work.lockOne(DELIVERIES, { id: deliveryId });
    if (row?.fence !== claimed.fence) return;
    work.insert(ATTEMPTS, made);
    await recordManualAttempt(deps, work, row, made);
    work.afterCommit(() => {
      deps.scheduler.wake(DELIVER_JOB, actor.tenantId);
      deps.changes.publish(actor.tenantId, 'webhooks', endpoint.merchant_id ?? ACCOUNT_ONLY);
    });
  });
  return getDelivery(deps, actor, endpoint.id, deliveryId);
}

/** Claims the delivery for this attempt, so that the schedule does not send it in parallel. */
async function claim(deps: Dependencies, actor: Actor, endpointId: string, deliveryId: string): Promise<DeliveryRow> {
  const claimed = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const delivery = (await work.one(DELIVERIES, { id: deliveryId, endpoint_id: endpointId })) ?? deliveryNotFound(deliveryId);
    await refuseArchived(work, delivery.event_id);
    return claimRow(deps.database, work, DELIVERIES, deliveryId, LEASE_MS);
  });
  if (!claimed)
    throw new ServiceError('RESOURCE_CONFLICT', 'This delivery is being sent right now. Try again in a moment.', {
      details: { deliveryId },
    });
  return claimed;
}

async function recordManualAttempt(deps: Dependencies, work: Work, row: DeliveryRow, made: AttemptRow): Promise<void> {
  const { tenant_id, id, endpoint_id, resource_id } = row;
  const succeeded = made.error_kind === null;
  const now = deps.clockOf(tenant_id).now();
  const status = step(DELIVERY_STEPS, row.status, 'deliver');
  await work.update(DELIVERIES, { id }, { ...attemptColumns(made), ...(succeeded ? { status, ...released(null) } : { lease_ms: 0 }) });
  if (succeeded) work.apply(UNBLOCK_NEXT, { tenant_id, endpoint_id, resource_id, at_ms: now });
}

async function eventOf(deps: Dependencies, row: DeliveryRow): Promise<EventRow> {
  const event = await deps.database.read(row.tenant_id).one(EVENTS, { id: row.event_id });
  return event ?? deliveryNotFound(row.id);
}

function deliveryNotFound(deliveryId: string): never {
  throw new ServiceError('NOT_FOUND', `This endpoint has no delivery ${deliveryId.slice(0, 60)}.`, { details: { deliveryId } });
}

function errorOf(row: { error_kind: string | null; error_message: string | null }): DeliveryError | null {
  return row.error_kind === null ? null : { kind: row.error_kind as DeliveryError['kind'], message: row.error_message ?? '' };
}

export function toDelivery(row: DeliveryRow): Delivery {
  const isScheduled = row.status === 'pending' && row.due_ms !== null && !isExpired(row.due_ms, row.first_attempt_ms);
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    resourceId: row.resource_id,
    test: row.test === 1,
    status: row.status,
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
    lastAttemptAt: row.last_attempt_at,
    responseStatus: row.response_status,
    durationMs: row.duration_ms,
    error: errorOf(row),
    nextAttemptAt: isScheduled && row.due_ms !== null ? isoTime(row.due_ms) : null,
  };
}

export function toAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    attemptNumber: row.n,
    attemptedAt: isoTime(row.attempted_ms),
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    error: errorOf(row),
    requestHeaders: JSON.parse(row.request_headers) as Record<string, string>,
    responseHeaders: row.response_headers === null ? null : (JSON.parse(row.response_headers) as Record<string, string>),
    responseBody: row.response_body,
    trigger: row.cause,
  };
}
