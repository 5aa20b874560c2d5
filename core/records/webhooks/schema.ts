import {
  type BulkStatement,
  type Chain,
  dueColumns,
  type GuardedUpdate,
  integer,
  type LogBlockRow,
  type LogHead,
  type RowOf,
  table,
  text,
} from '#core/database';
import type { RealTime, TenantTime } from '#core/kernel';
import type { EventType } from '#shared/webhook-events';

export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const TRIGGERS = ['automatic', 'manual', 'test'] as const;
export type Trigger = (typeof TRIGGERS)[number];

export const EVENTS = table(
  'events',
  {
    tenant_id: text,
    id: text,
    /** Number of the event in the tenant's history, in the order of the commits. IDs follow the clocks of workstations, which differ. */
    n: integer,
    type: text.of<EventType>(),
    /** Empty if the event concerns no merchant. */
    merchant_id: text,
    resource_id: text,
    /** JSON text of `data`, stored unchanged. */
    data: text,
    test: integer,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'events_by_number', columns: ['tenant_id', 'n'], unique: true }] },
);

export type EventRow = RowOf<typeof EVENTS>;

/** Number of the newest event of each tenant. */
export const EVENT_HEADS = table('event_heads', { tenant_id: text, n: integer }, { key: ['tenant_id'] });

/** Events in each block of numbers. */
export const EVENTS_PER_BLOCK = 2_000;

/**
 * Number of events of a type and a merchant in each full block of the history, without test events, with the time of the first and the last one.
 * A commit that removes events also removes the rows of their blocks, or counts a block again of which events remain.
 */
export const EVENT_COUNTS = table(
  'event_counts',
  { tenant_id: text, block: integer, type: text.of<EventType>(), merchant_id: text, first_at: text, last_at: text, n: integer },
  { key: ['tenant_id', 'block', 'type', 'merchant_id'] },
);

/** Counts the events of a full block. */
export const COUNT_BLOCK: BulkStatement<LogBlockRow> = {
  columns: { tenant_id: 'text', block: 'integer' },
  sql: `INSERT INTO event_counts (tenant_id, block, type, merchant_id, first_at, last_at, n)
    SELECT e.tenant_id, r.block, e.type, e.merchant_id, min(e.created_at), max(e.created_at), count(*)
    FROM {rows} r CROSS JOIN events e
    WHERE e.tenant_id = r.tenant_id AND e.n > r.block * ${EVENTS_PER_BLOCK} AND e.n <= (r.block + 1) * ${EVENTS_PER_BLOCK} AND e.test = 0
    GROUP BY e.tenant_id, r.block, e.type, e.merchant_id`,
};

/** The point at which the history of the database starts, because earlier events were archived. */
export const EVENT_STARTS = table(
  'event_starts',
  {
    tenant_id: text,
    /** Number of the last event that was archived and deleted; 0 if there is none. */
    n: integer,
    /** Number of the last event that is being archived. It is not sent any more, so that it does not differ from the file. */
    closed_n: integer,
  },
  { key: ['tenant_id'] },
);

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
    /** Number of the event; deliveries of one resource are sent in this order. 0 for test events. */
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
    ...dueColumns<TenantTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'webhook_deliveries_due', columns: ['tenant_id', 'endpoint_id', 'due_ms', 'id'], where: 'due_ms IS NOT NULL' },
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

export const CATCH_UP_STATES = ['running', 'done', 'stopped'] as const;
export type CatchUpState = (typeof CATCH_UP_STATES)[number];

/** The last catch-up of each endpoint. While one is running, the endpoint has no subscriptions: the catch-up adds the deliveries. */
export const CATCH_UPS = table(
  'webhook_catch_ups',
  {
    tenant_id: text,
    id: text,
    endpoint_id: text,
    state: text.of<CatchUpState>(),
    /** JSON array of the event types that are sent again. */
    types: text,
    /** Earliest creation time of the events that are sent again; null if they follow an event. */
    from_at: text.optional,
    /** Number of the last event that was considered. */
    cursor: integer,
    /** Number of the newest event when the catch-up started. Later events are live ones. */
    until: integer,
    total: integer,
    queued: integer,
    created_at: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    unique: [['tenant_id', 'endpoint_id']],
    indexes: [{ name: 'webhook_catch_ups_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type CatchUpRow = RowOf<typeof CATCH_UPS>;

/** The event for which deliveries are created. */
interface FanOutRow {
  tenant_id: string;
  id: string;
  n: number;
  type: string;
  merchant_id: string;
  resource_id: string;
  test: number;
  created_at: string;
  at_ms: number;
}

/**
 * Writes a delivery for every endpoint that is subscribed at this moment, except for test events. Its ID is that of the event with the mark of the endpoint at the end. Security
 * events have no merchant, so endpoints of one merchant never receive them.
 */
export const FAN_OUT: BulkStatement<FanOutRow> = {
  columns: {
    tenant_id: 'text',
    id: 'text',
    n: 'integer',
    type: 'text',
    merchant_id: 'text',
    resource_id: 'text',
    test: 'integer',
    created_at: 'text',
    at_ms: 'integer',
  },
  sql: `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, resource_id, position, test, status, attempt_count, tries, created_at, due_ms, lease_ms, fence)
    SELECT r.tenant_id, 'dlv_' || substr(r.id, 5, 24) || s.mark, s.endpoint_id, r.id, coalesce(s.as_type, r.type), r.resource_id,
      r.n, 0, 'pending', 0, 0, r.created_at, r.at_ms, 0, 0
    FROM {rows} r JOIN webhook_subscriptions s ON s.tenant_id = r.tenant_id AND s.type IN (r.type, CASE WHEN r.type LIKE 'security.%' THEN 'security.*' ELSE '*' END)
    WHERE r.test = 0 AND (s.merchant_id IS NULL OR s.merchant_id = r.merchant_id)`,
};

/** The history of events. An event gets its number and its deliveries while the head of the history is locked, until the commit. */
export const HISTORY: Chain<EventRow, LogHead, FanOutRow> = {
  table: EVENTS,
  heads: EVENT_HEADS,
  link({ tenant_id, n }, row) {
    return { row: { ...row, n: n + 1 }, head: { tenant_id, n: n + 1 } };
  },
  follow: {
    statement: FAN_OUT,
    paramsOf: ({ tenant_id, id, n, type, merchant_id, resource_id, test, created_at }) => ({
      tenant_id,
      id,
      n,
      type,
      merchant_id,
      resource_id,
      test,
      created_at,
      at_ms: Date.parse(created_at),
    }),
  },
  blocks: { size: EVENTS_PER_BLOCK, statement: COUNT_BLOCK },
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
