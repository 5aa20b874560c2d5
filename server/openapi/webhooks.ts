import { EVENT_TYPES, type EventType, isSecurityName, WEBHOOK_EVENTS } from '#shared/webhook-events';

import type { Json, Schema, SchemaWriter } from './schema-writer.ts';

export const WEBHOOK_TAG = 'Webhook events';
const SAMPLE_AT = '2026-11-21T04:01:55.602Z';

/** Returns the `webhooks` of the OpenAPI document: the payload of each event type with an example. */
export function webhooksOf(components: Components): Json {
  const headers = Object.entries(HEADERS).map(([name, description]) =>
    components.add('parameters', name, { name, in: 'header', required: true, description, schema: { type: 'string' } }),
  );
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operationOf(type, components.schemas, headers) }]));
}

/** Parts of the document that the events refer to. */
interface Components {
  readonly schemas: SchemaWriter;
  add(kind: 'parameters', prefix: string, part: Json): Json;
}

const HEADERS = {
  'webhook-id': 'ID of the event, the same for every attempt.',
  'webhook-timestamp': 'Time of the attempt, in seconds since the epoch.',
  'webhook-signature': 'Signature of ID, timestamp and body, as Standard Webhooks defines it.',
};

function operationOf(type: EventType, schemas: SchemaWriter, parameters: readonly Json[]): Json {
  return {
    operationId: `webhook.${type}`,
    tags: [WEBHOOK_TAG],
    summary: `Receive ${type}`,
    description: 'Sent to each endpoint that subscribed to the event. Only a response with status 200 ends the delivery.',
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.write(envelope(type)), example: example(type) } },
    },
    responses: { '2XX': { description: 'The event was received. After any other response the delivery is retried.' } },
  };
}

/** Returns the schema name of an event type: `transaction.approved` becomes TransactionApprovedEvent. */
const titleOf = (type: EventType) => `${type.replace(/(^|[._])(\w)/g, (_all, _before, letter: string) => letter.toUpperCase())}Event`;

function envelope(type: EventType): Schema {
  const text = { type: 'string' };
  return {
    title: titleOf(type),
    type: 'object',
    required: ['id', 'type', 'createdAt', 'data', 'tenantId', 'merchantId'],
    properties: {
      id: { ...text, description: 'the same for every attempt' },
      type: { const: type, description: 'event type' },
      createdAt: { ...text, format: 'date-time', description: 'time of the event' },
      data: { ...WEBHOOK_EVENTS[type].data, description: 'What happened.' },
      tenantId: { ...text, description: 'ID of the tenant' },
      merchantId: { type: isSecurityName(type) ? 'null' : 'string', description: 'ID of the merchant' },
      test: { const: true, description: 'set for test deliveries only' },
    },
  };
}

function example(type: EventType): Json {
  return {
    id: 'evt_01m7y495cj0020acfq3xv5ygj8',
    type,
    createdAt: SAMPLE_AT,
    data: WEBHOOK_EVENTS[type].sample(SAMPLE_AT),
    tenantId: 'ten_00000000000000000000000000',
    merchantId: isSecurityName(type) ? null : 'mer_00000000000000000000000000',
  };
}
