import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { ALIASES, EVENT_TYPES, EVERY_SECURITY_TYPE, EVERY_TYPE } from '#shared/webhook-events';
import { Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const names = [...EVENT_TYPES, ...Object.keys(ALIASES), EVERY_TYPE, EVERY_SECURITY_TYPE].join(', ');

export const EventTypesIn = named('EventTypes', Type.Array(Text(60), { description: `event types: ${names}`, maxItems: 60 }));
export const UrlIn = Text(2_000, 'an HTTPS address');

export const CatchUpOut = named(
  'WebhookCatchUp',
  Type.Object({
    catchUpId: Type.String(),
    state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('stopped')], {
      description:
        'running: earlier events are being sent. done: all were sent, and new ones follow as they happen. stopped: ended by a caller.',
    }),
    sent: Type.Integer({ description: 'earlier events that were sent at least once' }),
    total: Type.Integer({ description: 'earlier events to be sent; those that the endpoint was sent already do not count' }),
    createdAt: Timestamp,
  }),
);

const EndpointFields = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: Maybe(Type.String()),
  status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]),
  merchantId: Maybe(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  secretRotatedAt: Maybe(Timestamp),
  last24Hours: Type.Object({
    attempts: Type.Integer(),
    succeeded: Type.Integer(),
    successRate: Maybe(Type.Number({ description: '0 to 1' })),
    p95Ms: Maybe(Type.Number({ description: '95th percentile of the duration of attempts, in milliseconds' })),
    pending: Type.Integer({ description: 'deliveries still to be sent' }),
  }),
  catchUp: Maybe(CatchUpOut),
};
export const EndpointOut = named('WebhookEndpoint', Type.Object(EndpointFields));
/** An endpoint with its secret, which only creation and rotation return. */
export const EndpointWithSecret = named(
  'WebhookEndpointWithSecret',
  Type.Object({ ...EndpointFields, secret: Type.String({ description: 'shown in this response only' }) }),
);

const EventFields = {
  id: Type.String({ description: 'same as in deliveries; the cursor of the list' }),
  type: Type.String({ description: `one of ${EVENT_TYPES.join(', ')}` }),
  createdAt: Timestamp,
  resourceId: Type.String({ description: 'subject of the event' }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'as the type declares it under `webhooks` of this document' }),
  tenantId: Type.String(),
  merchantId: Maybe(Type.String({ description: 'null for security events' })),
};
/** An event of the history. */
export const EventOut = named('Event', Type.Object(EventFields));
const Headers = Type.Record(Type.String(), Type.String());

/** An event as the built-in receiver catches it. */
export const EventRequestOut = named(
  'EventRequest',
  Type.Object({
    id: Type.String(),
    secret: Type.String({ description: "secret of the account's built-in receiver, which no endpoint has" }),
    headers: Headers,
    body: Type.String({ description: 'the exact text that is signed' }),
  }),
);

const DeliveryErrorOut = Maybe(
  Type.Object({
    kind: literals(['status', 'redirect', 'timeout', 'connection', 'tls', 'dns', 'blocked']),
    message: Type.String(),
  }),
);

const DeliveryFields = {
  id: Type.String(),
  endpointId: Type.String(),
  eventId: Type.String(),
  eventType: Type.String(),
  resourceId: Type.String({ description: 'resource of the event; events of one resource are delivered in order' }),
  test: Type.Boolean(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]),
  attemptCount: Type.Integer(),
  createdAt: Timestamp,
  lastAttemptAt: Maybe(Timestamp),
  responseStatus: Maybe(Type.Integer()),
  durationMs: Maybe(Type.Integer()),
  error: DeliveryErrorOut,
  nextAttemptAt: Maybe(Timestamp),
};
export const DeliveryOut = named('WebhookDelivery', Type.Object(DeliveryFields));

const AttemptOut = named(
  'WebhookAttempt',
  Type.Object({
    attemptNumber: Type.Integer(),
    attemptedAt: Timestamp,
    durationMs: Type.Integer(),
    responseStatus: Maybe(Type.Integer()),
    error: DeliveryErrorOut,
    requestHeaders: Headers,
    responseHeaders: Maybe(Headers),
    responseBody: Maybe(Type.String({ description: 'first 4 KB of the body' })),
    trigger: Type.Union([Type.Literal('automatic'), Type.Literal('manual'), Type.Literal('test')]),
  }),
);

export const DeliveryDetailOut = named(
  'WebhookDeliveryDetail',
  Type.Object({
    ...DeliveryFields,
    body: Type.String({ description: 'the exact text that is sent and signed' }),
    attempts: Type.Array(AttemptOut),
  }),
);

export const EventDetailOut = named(
  'EventDetail',
  Type.Object({
    ...EventFields,
    body: Type.String({ description: 'the exact text that endpoints receive' }),
    deliveries: Type.Optional(
      Type.Array(named('ArchivedDelivery', Type.Object({ ...DeliveryFields, attempts: Type.Array(AttemptOut) })), {
        description: 'the deliveries of an archived event; absent for events in the database',
      }),
    ),
  }),
);
