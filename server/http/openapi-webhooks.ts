import { EVENT_TYPES, type EventType, isSecurityName, WEBHOOK_EVENTS } from '#shared/webhook-events';

type Json = Record<string, unknown>;

export const WEBHOOK_TAG = 'Webhook events';
const SAMPLE_AT = '2026-11-21T04:01:55.602Z';

/** Returns the `webhooks` of the OpenAPI document: the payload of each event type with an example (specification 6.3). */
export function webhooksOf(): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operationOf(type) }]));
}

function operationOf(type: EventType): Json {
  return {
    operationId: `webhook.${type}`,
    tags: [WEBHOOK_TAG],
    summary: `Receive ${type}`,
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: envelope(type), example: example(type) } } },
    responses: { '2XX': { description: 'The event was received. After any other response the delivery is retried.' } },
  };
}

/** Returns the schema name of an event type: `transaction.approved` becomes TransactionApprovedEvent. */
const titleOf = (type: EventType) => `${type.replace(/(^|[._])(\w)/g, (_all, _before, letter: string) => letter.toUpperCase())}Event`;

function envelope(type: EventType): Json {
  const text = { type: 'string' };
  return {
    title: titleOf(type),
    type: 'object',
    required: ['id', 'type', 'createdAt', 'data', 'tenantId', 'merchantId'],
    properties: {
      id: { ...text, description: 'the same for every attempt' },
      type: { const: type },
      createdAt: { ...text, format: 'date-time' },
      data: WEBHOOK_EVENTS[type].data,
      tenantId: text,
      merchantId: isSecurityName(type) ? { type: 'null' } : text,
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
