import { Type } from 'typebox';
import { count, flag, id, list, literals, mapOf, nullable, number, type RecordOf, record, text, time } from '#core/platform/fields';
import { EVENT_TYPES, type EventType } from '#shared/webhook-events';
import { CATCH_UP_STATES, DELIVERY_STATUSES, ENDPOINT_STATUSES, TRIGGERS } from './schema.ts';

const endpointId = id('whe', 'ID of the endpoint');
const eventId = id('evt', 'ID of the event');
const resourceId = id('txn', 'Subject of the event; events of one subject are delivered in order');
const exactText = text('The exact text that is sent and signed', '{"id":"evt_01m7y495cj0020acfq3xv5ygj8","type":"transaction.approved"}');
const merchantId = (description: string) => nullable(id('mer', description));
const headers = (description: string) => mapOf(Type.String(), description, { 'content-type': 'application/json' });
const createdAt = time('Time of creation');

/** Progress of the last catch-up of an endpoint. */
export const CatchUp = record('WebhookCatchUp', {
  catchUpId: id('wcu', 'ID of the catch-up'),
  state: literals(
    CATCH_UP_STATES,
    'running: earlier events are being sent. done: all were sent, and new ones follow as they happen. stopped: ended by a caller.',
  ),
  sent: count('Earlier events that were sent at least once', 120),
  total: count('Earlier events to be sent; those that the endpoint was sent already do not count', 480),
  createdAt,
});
export type CatchUp = RecordOf<typeof CatchUp>;

const endpointFields = {
  id: endpointId,
  url: text('Address of the receiver', 'https://example.com/webhooks'),
  events: list(Type.String(), 'Event types', ['transaction.approved']),
  description: nullable(text('Description', 'Bookkeeping')),
  status: literals(ENDPOINT_STATUSES, 'Status'),
  merchantId: merchantId('ID of the merchant; null for the whole account'),
  createdAt,
  updatedAt: time('Time of the last change'),
  secretRotatedAt: nullable(time('Time of the last new secret; null for the first one', null)),
  last24Hours: Type.Object(
    {
      attempts: count('Attempts', 12),
      succeeded: count('Attempts that succeeded', 12),
      successRate: nullable(number('0 to 1; null without an attempt', 1)),
      p95Ms: nullable(number('95th percentile of the duration of attempts, in milliseconds; null without an attempt', 84)),
      pending: count('Deliveries still to be sent', 0),
    },
    { description: 'Figures of the last 24 hours' },
  ),
  catchUp: nullable(CatchUp, 'The last catch-up; null if there was none', null),
};
export const Endpoint = record('WebhookEndpoint', endpointFields);
export type Endpoint = RecordOf<typeof Endpoint>;
/** An endpoint with its secret, which only creation and rotation return. */
export const EndpointWithSecret = record('WebhookEndpointWithSecret', {
  ...endpointFields,
  secret: text('Secret of the signatures; shown in this response only', 'whsec_5b1f…'),
});
export type EndpointWithSecret = RecordOf<typeof EndpointWithSecret>;

const eventFields = {
  id: id('evt', 'ID of the event, the same as in deliveries; the cursor of the list'),
  // Not an enumeration: programs must not fail when a later version has further types.
  type: Type.Unsafe<EventType>(text(`One of ${EVENT_TYPES.join(', ')}`, 'transaction.approved')),
  createdAt: time('Time of the event'),
  resourceId,
  data: mapOf(Type.Unknown(), 'What happened, as the type declares it under `webhooks` of this document', { amount: 49.99 }),
  tenantId: id('ten', 'ID of the account'),
  merchantId: merchantId('ID of the merchant; null for security events'),
};
/** An event of the history, with the fields that receivers get. */
export const HistoryEvent = record('Event', eventFields);
export type HistoryEvent = RecordOf<typeof HistoryEvent>;

/** An event as the built-in receiver catches it. */
export const ReceiverRequest = record('EventRequest', {
  id: eventId,
  secret: text("Secret of the account's built-in receiver, which no endpoint has", 'whsec_5b1f…'),
  headers: headers('Headers of the request'),
  body: exactText,
});
export type ReceiverRequest = RecordOf<typeof ReceiverRequest>;

const error = nullable(
  record('WebhookError', {
    kind: literals(['status', 'redirect', 'timeout', 'connection', 'tls', 'dns', 'blocked'], 'Kind'),
    message: text('What happened', 'The receiver answered 503.'),
  }),
  'Error of the last attempt; null after a success and before the first attempt',
  null,
);
const responseStatus = nullable(count('HTTP status of the response; null without one', 200));
const deliveryFields = {
  id: id('dlv', 'ID of the delivery'),
  endpointId,
  eventId,
  eventType: text('Type of the event', 'transaction.approved'),
  resourceId,
  test: flag('True for a test event', false),
  status: literals(DELIVERY_STATUSES, 'Status'),
  attemptCount: count('Attempts', 1),
  createdAt,
  lastAttemptAt: nullable(time('Time of the last attempt; null before the first one')),
  responseStatus,
  durationMs: nullable(count('Duration of the last attempt in milliseconds; null before it', 84)),
  error,
  nextAttemptAt: nullable(
    time('Time of the next attempt; null if none is scheduled, or while an earlier delivery must be finished first', null),
  ),
};
export const Delivery = record('WebhookDelivery', deliveryFields);
export type Delivery = RecordOf<typeof Delivery>;

const DeliveryAttempt = record('WebhookAttempt', {
  attemptNumber: count('Number of the attempt, from 1', 1),
  attemptedAt: time('Time of the attempt'),
  durationMs: count('Duration in milliseconds', 84),
  responseStatus,
  error,
  requestHeaders: headers('Headers that were sent'),
  responseHeaders: nullable(headers('Headers of the response; null without one')),
  responseBody: nullable(text('First 4 KB of the body; null without a response', 'ok')),
  trigger: literals(TRIGGERS, 'What caused the attempt: the schedule, a person or program, or a test'),
});
export type DeliveryAttempt = RecordOf<typeof DeliveryAttempt>;
const attempts = list(DeliveryAttempt, 'Attempts, oldest first');
export const DeliveryDetail = record('WebhookDeliveryDetail', { ...deliveryFields, body: exactText, attempts });
export type DeliveryDetail = RecordOf<typeof DeliveryDetail>;

export const EventDetail = record('EventDetail', {
  ...eventFields,
  body: exactText,
  deliveries: Type.Optional(
    list(
      record('ArchivedDelivery', { ...deliveryFields, attempts }),
      'The deliveries of an archived event; absent for events in the database',
      [],
    ),
  ),
});
export type EventDetail = RecordOf<typeof EventDetail>;
