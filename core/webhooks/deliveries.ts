import { lit, newestOf, type Page, type PageOf, queriesOn, TENANT, timeOf, type Work } from '#core/database';
import { type Actor, isoTime, ServiceError, step } from '#core/kernel';
import { claimRow, released } from '#core/platform/scheduling';
import { WEBHOOK_EVENTS } from '#shared/webhook-events';
import { attempt, type SecretBox, tried } from './attempt.ts';
import { DELIVERY_STEPS } from './delivery-steps.ts';
import { eventRow } from './emit.ts';
import { readEndpoint } from './endpoints.ts';
import { type DeliveryError, renderBody } from './event.ts';
import { eventTypeOf } from './event-type.ts';
import type { Needs } from './needs.ts';
import { DELIVER_JOB, isOver } from './retry-schedule.ts';
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
  REVIVE_NEXT,
  type Trigger,
} from './schema.ts';

/** As long as the job's, for attempts made while their caller waits. */
const LEASE_MS = 20_000;
const OF_RESOURCE_MAX = 100;

/** An event on its way to one endpoint. */
export interface Delivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly test: boolean;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly createdAt: string;
  readonly lastAttemptAt: string | null;
  readonly responseStatus: number | null;
  readonly durationMs: number | null;
  /** How the last attempt failed; null after a success and before the first. */
  readonly error: DeliveryError | null;
  /** null when there is none to come, or when it waits for one before it. */
  readonly nextAttemptAt: string | null;
}

export interface DeliveryAttempt {
  readonly attemptNumber: number;
  readonly attemptedAt: string;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: DeliveryError | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly trigger: Trigger;
}

export interface DeliveryDetail extends Delivery {
  /** The exact text that is sent and signed. */
  readonly body: string;
  readonly attempts: readonly DeliveryAttempt[];
}

const queries = queriesOn(DELIVERIES, ENDPOINTS);

export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly eventType?: string;
  readonly resourceId?: string;
}

export async function listDeliveries(
  on: Needs,
  by: Actor,
  endpointId: string,
  filter: DeliveryFilter,
  at: PageOf,
): Promise<Page<Delivery>> {
  const read = on.database.read(by.tenantId);
  await readEndpoint(read, by, endpointId);
  const { status, eventType, resourceId } = filter;
  const where = { endpoint_id: endpointId, status, event_type: eventType, resource_id: resourceId };
  const page = await newestOf(read, DELIVERIES, 'dlv', where, at);
  return { ...page, items: page.items.map(toDelivery) };
}

/** What was told of a resource, to any endpoint that the caller may see; newest first, at most 100. */
export async function deliveriesOf(on: Needs, by: Actor, resourceId: string): Promise<Delivery[]> {
  let deliveries = queries
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as e', (join) => join.onRef('e.tenant_id', '=', 'd.tenant_id').onRef('e.id', '=', 'd.endpoint_id'))
    .selectAll('d')
    .where('d.tenant_id', '=', TENANT)
    .where('d.resource_id', '=', resourceId)
    .orderBy('d.id', 'desc')
    .limit(OF_RESOURCE_MAX);
  if (by.merchantId !== null) deliveries = deliveries.where('e.merchant_id', '=', by.merchantId);
  const rows = await on.database.read(by.tenantId).rows(deliveries);
  return rows.map(toDelivery);
}

export async function getDelivery(on: Needs, by: Actor, endpointId: string, deliveryId: string): Promise<DeliveryDetail> {
  const read = on.database.read(by.tenantId);
  await readEndpoint(read, by, endpointId);
  const row = await read.one(DELIVERIES, { id: deliveryId, endpoint_id: endpointId });
  if (!row) return missing(deliveryId);
  const event = await eventOf(on, row);
  const attempts = await read.find(ATTEMPTS, { delivery_id: deliveryId }, { orderBy: [['n', 'asc']] });
  return { ...toDelivery(row), body: renderBody(event, row.event_type), attempts: attempts.map(toAttempt) };
}

/** Sends a made-up event of a type at once, and never again (specification 6.1, decisions 8). */
export async function testEndpoint(
  on: Needs,
  secrets: SecretBox,
  by: Actor,
  endpointId: string,
  eventType: string,
): Promise<DeliveryDetail> {
  const type = eventTypeOf(eventType, 'eventType');
  const endpoint = await readEndpoint(on.database.read(by.tenantId), by, endpointId);
  const { merchantId } = await on.merchantFor(by, endpoint.merchant_id ?? undefined);
  const atMs = on.clockOf(by.tenantId).now();
  const made = eventRow(
    { tenantId: by.tenantId, merchantId, type, resourceId: '', atMs, data: WEBHOOK_EVENTS[type].sample(isoTime(atMs)) },
    true,
  );
  // A resource of its own: it waits for nothing and holds nothing back.
  const event: EventRow = { ...made, resource_id: made.id };
  const delivery: DeliveryRow = {
    tenant_id: by.tenantId,
    id: `dlv_${event.id.slice(4, 28)}${endpoint.mark}`,
    endpoint_id: endpoint.id,
    event_id: event.id,
    event_type: eventType,
    resource_id: event.id,
    position: 0,
    test: 1,
    status: 'failed',
    attempt_count: 0,
    tries: 0,
    first_attempt_ms: null,
    last_attempt_at: null,
    response_status: null,
    duration_ms: null,
    error_kind: null,
    error_message: null,
    created_at: event.created_at,
    due_ms: null,
    lease_ms: 0,
    fence: 0,
  };
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    work.insert(EVENTS, event);
    work.insert(DELIVERIES, delivery);
    on.audit(work, {
      by,
      action: 'webhook.tested',
      resource: `webhooks/${endpointId}`,
      merchantId: endpoint.merchant_id,
      after: { eventType },
    });
  });
  return sendNow(on, secrets, by, endpoint, delivery.id, 'test');
}

/** Sends a delivery's bytes once more, at once. Success delivers it; failure leaves it, and its schedule, as they were. RESOURCE_CONFLICT while it is being sent. */
export async function redeliver(on: Needs, secrets: SecretBox, by: Actor, endpointId: string, deliveryId: string): Promise<DeliveryDetail> {
  const endpoint = await readEndpoint(on.database.read(by.tenantId), by, endpointId);
  const sent = await sendNow(on, secrets, by, endpoint, deliveryId, 'manual');
  const entry = {
    by,
    action: 'webhook.redelivered',
    resource: `webhooks/${endpointId}/deliveries/${deliveryId}`,
    merchantId: endpoint.merchant_id,
  };
  await on.database.unitOfWork.run(by.tenantId, async (work) => on.audit(work, { ...entry, after: { status: sent.status } }));
  return sent;
}

/** Gives every failed delivery of an endpoint that was made since a time its schedule anew; test deliveries are left. */
export async function redeliverFailed(on: Needs, by: Actor, endpointId: string, since: string): Promise<{ redelivered: number }> {
  const endpoint = await readEndpoint(on.database.read(by.tenantId), by, endpointId);
  const redelivered = await on.database.unitOfWork.run(by.tenantId, async (work) => {
    work.afterCommit(() => {
      on.scheduler.wake(DELIVER_JOB);
      on.changes.tell(by.tenantId, 'webhooks');
    });
    on.audit(work, {
      by,
      action: 'webhook.redelivered',
      resource: `webhooks/${endpointId}/deliveries`,
      merchantId: endpoint.merchant_id,
      after: { since },
    });
    return work.change(
      queries
        .updateTable('webhook_deliveries')
        .set({ status: step(DELIVERY_STEPS, 'failed', 'repeat'), tries: 0, first_attempt_ms: null, due_ms: on.clockOf(by.tenantId).now() })
        .where('tenant_id', '=', TENANT)
        .where('endpoint_id', '=', endpointId)
        .where('status', '=', lit('failed'))
        .where('test', '=', lit(0))
        .where('lease_ms', '<=', timeOf(on.database))
        .where('created_at', '>=', since),
    );
  });
  return { redelivered };
}

async function sendNow(
  on: Needs,
  secrets: SecretBox,
  by: Actor,
  endpoint: EndpointRow,
  deliveryId: string,
  cause: Trigger,
): Promise<DeliveryDetail> {
  const claimed = await claim(on, by, endpoint.id, deliveryId);
  const made = await attempt(on, secrets, { endpoint, event: await eventOf(on, claimed), delivery: claimed, cause });
  await on.database.unitOfWork.run(by.tenantId, async (work) => {
    const row = await work.lockOne(DELIVERIES, { id: deliveryId });
    if (row?.fence !== claimed.fence) return;
    work.insert(ATTEMPTS, made);
    await settleByHand(on, work, row, made);
    work.afterCommit(() => {
      on.scheduler.wake(DELIVER_JOB);
      on.changes.tell(by.tenantId, 'webhooks');
    });
  });
  return getDelivery(on, by, endpoint.id, deliveryId);
}

/** Takes the delivery for this one attempt, so that the schedule cannot send it at the same moment. */
async function claim(on: Needs, by: Actor, endpointId: string, deliveryId: string): Promise<DeliveryRow> {
  const claimed = await on.database.unitOfWork.run(by.tenantId, async (work) => {
    if (!(await work.one(DELIVERIES, { id: deliveryId, endpoint_id: endpointId }))) return missing(deliveryId);
    return claimRow(on.database, work, DELIVERIES, deliveryId, LEASE_MS);
  });
  if (!claimed)
    throw new ServiceError('RESOURCE_CONFLICT', 'This delivery is being sent right now; look again in a moment.', {
      details: { deliveryId },
    });
  return claimed;
}

async function settleByHand(on: Needs, work: Work, row: DeliveryRow, made: AttemptRow): Promise<void> {
  const { tenant_id, id, endpoint_id, resource_id } = row;
  const succeeded = made.error_kind === null;
  const now = on.clockOf(tenant_id).now();
  const status = step(DELIVERY_STEPS, row.status, 'deliver');
  await work.update(DELIVERIES, { id }, { ...tried(made), ...(succeeded ? { status, ...released(null) } : { lease_ms: 0 }) });
  if (succeeded) work.apply(REVIVE_NEXT, { tenant_id, endpoint_id, resource_id, at_ms: now });
}

async function eventOf(on: Needs, row: DeliveryRow): Promise<EventRow> {
  const event = await on.database.read(row.tenant_id).one(EVENTS, { id: row.event_id });
  return event ?? missing(row.id);
}

function missing(deliveryId: string): never {
  throw new ServiceError('NOT_FOUND', `There is no delivery ${deliveryId.slice(0, 60)} of this endpoint.`, { details: { deliveryId } });
}

function errorOf(row: { error_kind: string | null; error_message: string | null }): DeliveryError | null {
  return row.error_kind === null ? null : { kind: row.error_kind as DeliveryError['kind'], message: row.error_message ?? '' };
}

function toDelivery(row: DeliveryRow): Delivery {
  const waits = row.status === 'pending' && row.due_ms !== null && !isOver(row.due_ms, row.first_attempt_ms);
  return {
    deliveryId: row.id,
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
    nextAttemptAt: waits && row.due_ms !== null ? isoTime(row.due_ms) : null,
  };
}

function toAttempt(row: AttemptRow): DeliveryAttempt {
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
