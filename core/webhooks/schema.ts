import { type BulkStatement, type GuardedUpdate, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { EventType } from '#shared/webhook-events';

export type EndpointStatus = 'active' | 'disabled';
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
export type Trigger = 'automatic' | 'manual' | 'test';

export const EVENTS = table(
  'events',
  {
    tenant_id: text,
    id: text,
    type: text.of<EventType>(),
    /** Empty if the event concerns no merchant. */
    merchant_id: text,
    resource_id: text,
    /** JSON text of `data`, stored unchanged. */
    data: text,
    test: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

export type EventRow = RowOf<typeof EVENTS>;

export const ENDPOINTS = table(
  'webhook_endpoints',
  {
    tenant_id: text,
    id: text,
    /** null if it receives the events of every merchant of the tenant. */
    merchant_id: text.optional,
    /** 1 if it is registered for security events: only callers with `owner:activity` may use it. */
    security: integer,
    url: text,
    /** JSON array of the types as registered. */
    events: text,
    description: text.optional,
    status: text.of<EndpointStatus>(),
    /** Two characters, unique among the endpoints of the tenant. They distinguish the delivery IDs of one event. */
    mark: text,
    /** Sealed with the data key of the tenant. */
    secret: text,
    previous_secret: text.optional,
    /** Time until which the previous secret signs as well, in the tenant's time. */
    previous_until_ms: integer.optional,
    secret_rotated_at: text.optional,
    created_at: text,
    updated_at: text,
  },
  { key: ['tenant_id', 'id'], unique: [['tenant_id', 'mark']] },
);

export type EndpointRow = RowOf<typeof ENDPOINTS>;

/** Fields of an endpoint that are needed to send to it. */
export type Target = Pick<EndpointRow, 'tenant_id' | 'id' | 'url' | 'secret' | 'previous_secret' | 'previous_until_ms'>;

/** Subscriptions of active endpoints. A disabled endpoint has none, so nothing is queued for it. */
export const SUBSCRIPTIONS = table(
  'webhook_subscriptions',
  {
    tenant_id: text,
    /** An event type, `*` or `security.*`. */
    type: text,
    endpoint_id: text,
    /** Name under which the endpoint registered it; null if that is the event type itself. */
    as_type: text.optional,
    merchant_id: text.optional,
    mark: text,
  },
  { key: ['tenant_id', 'type', 'endpoint_id'] },
);

export type SubscriptionRow = RowOf<typeof SUBSCRIPTIONS>;

export const DELIVERIES = table(
  'webhook_deliveries',
  {
    tenant_id: text,
    id: text,
    endpoint_id: text,
    event_id: text,
    /** Type as the endpoint receives it. */
    event_type: text,
    resource_id: text,
    /** Number of the delivery among those of its resource. Clocks of workstations differ, so neither times nor IDs give the order. */
    position: integer,
    test: integer,
    status: text.of<DeliveryStatus>(),
    attempt_count: integer,
    /** Number of attempts that count for the schedule; manual attempts do not. */
    tries: integer,
    /** Time of the attempt from which the seven days count. */
    first_attempt_ms: integer.optional,
    last_attempt_at: text.optional,
    response_status: integer.optional,
    duration_ms: integer.optional,
    error_kind: text.optional,
    error_message: text.optional,
    created_at: text,
    due_ms: integer.of<TenantTime>().optional,
    lease_ms: integer,
    fence: integer,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'webhook_deliveries_due', columns: ['tenant_id', 'endpoint_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'webhook_deliveries_of_tenant_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'webhook_deliveries_by_endpoint', columns: ['tenant_id', 'endpoint_id', 'id'] },
      { name: 'webhook_deliveries_open', columns: ['tenant_id', 'endpoint_id', 'resource_id', 'id'], where: "status = 'pending'" },
      { name: 'webhook_deliveries_failed', columns: ['tenant_id', 'last_attempt_at'], where: "status = 'failed'" },
      { name: 'webhook_deliveries_by_resource', columns: ['tenant_id', 'resource_id', 'id'] },
    ],
  },
);

export type DeliveryRow = RowOf<typeof DELIVERIES>;

/** One request that was sent, with its result. */
export const ATTEMPTS = table(
  'webhook_attempts',
  {
    tenant_id: text,
    delivery_id: text,
    n: integer,
    endpoint_id: text,
    cause: text.of<Trigger>(),
    attempted_ms: integer,
    duration_ms: integer,
    response_status: integer.optional,
    error_kind: text.optional,
    error_message: text.optional,
    /** JSON. */
    request_headers: text,
    response_headers: text.optional,
    /** First kilobytes of the response. */
    response_body: text.optional,
  },
  {
    key: ['tenant_id', 'delivery_id', 'n'],
    indexes: [{ name: 'webhook_attempts_by_endpoint', columns: ['tenant_id', 'endpoint_id', 'attempted_ms'] }],
  },
);

export type AttemptRow = RowOf<typeof ATTEMPTS>;

/** The event for which deliveries are created. */
interface FanOutRow {
  tenant_id: string;
  id: string;
  type: string;
  merchant_id: string;
  resource_id: string;
  created_at: string;
  at_ms: number;
}

const FAN_OUT_COLUMNS = {
  tenant_id: 'text',
  id: 'text',
  type: 'text',
  merchant_id: 'text',
  resource_id: 'text',
  created_at: 'text',
  at_ms: 'integer',
} as const;

/**
 * Writes a delivery for every endpoint that is subscribed at this moment. Its ID is that of the event with the mark of the endpoint at the end. Its
 * position follows every committed delivery of the resource. Deliveries of one statement may share a position; their IDs then give the order.
 */
const fanOut = (wildcard: string, merchantCondition: string): BulkStatement<FanOutRow> => ({
  columns: FAN_OUT_COLUMNS,
  sql: `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, resource_id, position, test, status, attempt_count, tries, created_at, due_ms, lease_ms, fence)
    SELECT r.tenant_id, 'dlv_' || substr(r.id, 5, 24) || s.mark, s.endpoint_id, r.id, coalesce(s.as_type, r.type), r.resource_id,
      (SELECT coalesce(max(p.position) + 1, 0) FROM webhook_deliveries p WHERE p.tenant_id = r.tenant_id AND p.resource_id = r.resource_id), 0, 'pending', 0, 0, r.created_at, r.at_ms, 0, 0
    FROM {rows} r JOIN webhook_subscriptions s ON s.tenant_id = r.tenant_id AND s.type IN (r.type, '${wildcard}')
    WHERE ${merchantCondition}`,
});

export const FAN_OUT = fanOut('*', 's.merchant_id IS NULL OR s.merchant_id = r.merchant_id');
/** Security events concern the whole tenant, so endpoints of one merchant never receive them. */
export const SECURITY_FAN_OUT = fanOut('security.*', 's.merchant_id IS NULL');

/** Writes a security event if any endpoint is subscribed to it. */
export const INSERT_SECURITY_EVENT: BulkStatement<EventRow> = {
  columns: {
    tenant_id: 'text',
    id: 'text',
    type: 'text',
    merchant_id: 'text',
    resource_id: 'text',
    data: 'text',
    test: 'integer',
    created_at: 'text',
  },
  sql: `INSERT INTO events (tenant_id, id, type, merchant_id, resource_id, data, test, created_at)
    SELECT r.tenant_id, r.id, r.type, r.merchant_id, r.resource_id, r.data, r.test, r.created_at FROM {rows} r
    WHERE EXISTS (SELECT 1 FROM webhook_subscriptions s WHERE s.tenant_id = r.tenant_id AND s.type IN (r.type, 'security.*'))`,
};

/** Endpoint and resource of a finished delivery, whose next delivery may be sent. */
interface ResourceRow {
  tenant_id: string;
  endpoint_id: string;
  resource_id: string;
  at_ms: number;
}

export const UNBLOCK_NEXT: BulkStatement<ResourceRow> = {
  columns: { tenant_id: 'text', endpoint_id: 'text', resource_id: 'text', at_ms: 'integer' },
  sql: `UPDATE webhook_deliveries SET due_ms = r.at_ms FROM {rows} r
    WHERE webhook_deliveries.tenant_id = r.tenant_id AND webhook_deliveries.endpoint_id = r.endpoint_id AND webhook_deliveries.resource_id = r.resource_id
      AND webhook_deliveries.status = 'pending' AND webhook_deliveries.due_ms IS NULL`,
};

/** Writes the result of a scheduled attempt, guarded by the fence, so that a server whose lease has expired changes nothing. */
export const CONCLUDE_DELIVERY: GuardedUpdate<DeliveryRow> = {
  table: DELIVERIES,
  where: ['tenant_id', 'id', 'fence'],
  set: [
    'status',
    'attempt_count',
    'tries',
    'first_attempt_ms',
    'last_attempt_at',
    'response_status',
    'duration_ms',
    'error_kind',
    'error_message',
    'due_ms',
    'lease_ms',
  ],
  guard: 'lease_ms > 0',
};
