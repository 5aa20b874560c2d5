import { Type } from 'typebox';
import type { Core } from '#core';
import { type Actor, ServiceError } from '#core/kernel';
import { count, EXAMPLE_ID, EXAMPLE_TIME } from '#core/platform/fields';
import {
  CatchUp,
  type CatchUpRequest,
  Delivery,
  DeliveryDetail,
  type DeliveryFilter,
  Endpoint,
  type EndpointChange,
  EndpointWithSecret,
} from '#core/records/webhooks';
import { Paginated, type Route, route, Success } from '#server/http';
import {
  DateQuery,
  Deleted,
  datedPageFrom,
  EventTypesIn,
  Maybe,
  MerchantIn,
  MomentIn,
  oneOf,
  PageQuery,
  Params,
  Text,
  timeFrom,
  UrlIn,
} from '#server/schemas';

const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

/**
 * The routes of webhook endpoints under a path. Keys of a merchant manage the endpoints of their merchant. Owners get a message about each new or moved
 * endpoint, unless an owner made the change.
 */
export function webhookRoutes(surface: 'public' | 'admin', base: string, suffix = ''): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Webhooks' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'webhooks:read' } as const;
  const write = { ...shared, method: 'POST', permission: 'webhooks:write' } as const;
  const id = (name: string) => `${surface}.${name}${suffix}`;

  return [
    route({
      ...write,
      confirms: { level: 'recent' },
      path: base,
      id: id('createWebhookEndpoint'),
      summary: 'Register a webhook endpoint',
      description:
        'Only this response contains the secret. `refund.approved` is another name of `refund.processed`; `*` subscribes to every type except those of security activity, and `security.*` to every type of security activity. Endpoints with security events belong to the whole account and need the permission `owner:activity` on every operation: PERMISSION_DENIED otherwise. Lists omit them for other callers.',
      created: true,
      body: Type.Object({
        url: UrlIn,
        events: EventTypesIn,
        description: Type.Optional(Text(500, 'Description')),
        merchantId: MerchantIn,
        catchUp: Type.Optional(Type.Object(CatchUpBody, { description: 'earlier events that are sent before new ones' })),
      }),
      response: Success(EndpointWithSecret),
      errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'NOT_FOUND', 'INVALID_DATE'],
      run: async ({ core, actor, body: { catchUp, ...endpoint } }) =>
        core.webhooks.createEndpoint(actor, {
          ...endpoint,
          ...(catchUp === undefined ? {} : { catchUp: await catchUpFrom(core, actor, catchUp) }),
        }),
    }),
    route({
      ...read,
      path: base,
      id: id('listWebhookEndpoints'),
      summary: 'Webhook endpoints, newest first',
      description: 'Never contains the secrets.',
      query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf('active', 'disabled') }),
      response: Paginated(Endpoint),
      errors: ['INVALID_DATE'],
      run: async ({ core, actor, query }) => {
        const status = query.status as Endpoint['status'] | undefined;
        return core.webhooks.listEndpoints(actor, { status }, await datedPageFrom(core, actor, query));
      },
    }),
    route({
      ...read,
      path: `${base}/:id`,
      id: id('getWebhookEndpoint'),
      summary: 'One webhook endpoint',
      description: 'Never contains the secret; rotate it to get a new one.',
      params: Params('id'),
      response: Success(Endpoint),
      errors: MISSING,
      run: ({ core, actor, params }) => core.webhooks.getEndpoint(actor, params.id),
    }),
    route({
      ...write,
      method: 'PUT',
      confirms: { level: 'recent', when: (body: Readonly<Record<string, unknown>>) => body.url !== undefined || body.events !== undefined },
      path: `${base}/:id`,
      id: id('updateWebhookEndpoint'),
      summary: 'Change a webhook endpoint',
      description: 'No events are queued for a disabled endpoint. Deliveries that were queued before are sent when it is enabled again.',
      params: Params('id'),
      body: Type.Object({
        url: Type.Optional(UrlIn),
        events: Type.Optional(EventTypesIn),
        status: oneOf('active', 'disabled'),
        description: Type.Optional(Maybe(Text(500, 'Description'))),
      }),
      response: Success(Endpoint),
      errors: MISSING,
      run: ({ core, actor, params, body }) => {
        const { url, events, status, description } = body;
        return core.webhooks.updateEndpoint(actor, params.id, { url, events, status, description } as EndpointChange);
      },
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${base}/:id`,
      id: id('deleteWebhookEndpoint'),
      summary: 'Delete a webhook endpoint with its deliveries',
      description: 'Deliveries that wait are not sent.',
      params: Params('id'),
      response: Success(Deleted),
      errors: MISSING,
      run: async ({ core, actor, params }) => {
        await core.webhooks.deleteEndpoint(actor, params.id);
        return { id: params.id, deleted: true as const };
      },
    }),
    route({
      ...write,
      path: `${base}/:id/test`,
      id: id('testWebhookEndpoint'),
      summary: 'Send a test event',
      description: 'A real, signed event with sample data and `test: true` in its envelope; one attempt, whose result is the response.',
      rate: 'test-webhook',
      params: Params('id'),
      body: Type.Object({ eventType: Text(60, 'an event type', 'transaction.approved') }),
      response: Success(DeliveryDetail),
      errors: MISSING,
      run: ({ core, actor, params, body }) => core.webhooks.testEndpoint(actor, params.id, body.eventType),
    }),
    route({
      ...write,
      confirms: { level: 'recent' },
      path: `${base}/:id/rotate-secret`,
      id: id('rotateWebhookSecret'),
      summary: 'Rotate the secret',
      description: 'For 24 hours deliveries are also signed with the previous secret, in X-Service-Signature-Previous.',
      params: Params('id'),
      response: Success(EndpointWithSecret),
      errors: MISSING,
      run: ({ core, actor, params }) => core.webhooks.rotateSecret(actor, params.id),
    }),
    route({
      ...write,
      path: `${base}/:id/catch-up`,
      id: id('startWebhookCatchUp'),
      summary: 'Send earlier events to an endpoint',
      description:
        'Sends everything since an event or a time, in order per resource, and then what happens in the meantime. Each event is delivered once: those that the endpoint was sent already are left out. At most 256 deliveries are open at a time. While it runs, new events wait for the earlier ones.',
      accepted: true,
      params: Params('id'),
      body: Type.Object(CatchUpBody),
      response: Success(CatchUp),
      errors: [...MISSING, 'RESOURCE_CONFLICT', 'INVALID_DATE'],
      run: async ({ core, actor, params, body }) => core.webhooks.startCatchUp(actor, params.id, await catchUpFrom(core, actor, body)),
    }),
    route({
      ...read,
      path: `${base}/:id/catch-up`,
      id: id('getWebhookCatchUp'),
      summary: 'Progress of the last catch-up of an endpoint',
      description: 'NOT_FOUND if the endpoint has never had one.',
      params: Params('id'),
      response: Success(CatchUp),
      errors: MISSING,
      run: ({ core, actor, params }) => core.webhooks.getCatchUp(actor, params.id),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: `${base}/:id/catch-up`,
      id: id('stopWebhookCatchUp'),
      summary: 'Stop a catch-up',
      description:
        'Deliveries that are queued already are still sent. Events since the start of the catch-up are sent as well, and new ones follow.',
      params: Params('id'),
      response: Success(CatchUp),
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params }) => core.webhooks.stopCatchUp(actor, params.id),
    }),
    route({
      ...read,
      path: `${base}/:id/deliveries`,
      id: id('listWebhookDeliveries'),
      summary: 'Deliveries to an endpoint, newest first',
      description: 'Each event has one delivery per endpoint.',
      params: Params('id'),
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        status: oneOf('pending', 'delivered', 'failed'),
        eventType: Type.Optional(Text(60, 'Type of the event')),
        resourceId: Type.Optional(Text(60, 'ID of the record that the events are about')),
      }),
      response: Paginated(Delivery),
      errors: [...MISSING, 'INVALID_DATE'],
      run: async ({ core, actor, params, query }) => {
        const filter = { status: query.status, eventType: query.eventType, resourceId: query.resourceId } as DeliveryFilter;
        return core.webhooks.listDeliveries(actor, params.id, filter, await datedPageFrom(core, actor, query));
      },
    }),
    route({
      ...write,
      path: `${base}/:id/deliveries`,
      id: id('sendWebhookEvent'),
      summary: 'Send an event of the history to an endpoint',
      description:
        'Sends the event immediately, whether or not the endpoint got it before, with the bytes of its delivery. The endpoint must receive the type of the event. If the attempt fails, it is not repeated.',
      params: Params('id'),
      body: Type.Object({ eventId: Text(60, 'an event of the history', `evt_${EXAMPLE_ID}`) }),
      response: Success(DeliveryDetail),
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params, body }) => core.webhooks.sendEvent(actor, params.id, body.eventId),
    }),
    route({
      ...write,
      path: `${base}/:id/deliveries/redeliver-failed`,
      id: id('redeliverFailedWebhooks'),
      summary: 'Restart the schedule of failed deliveries',
      description: 'Each failed delivery is attempted again, in the order of its resource.',
      params: Params('id'),
      body: Type.Object({
        since: Text(40, 'a day or an ISO 8601 time; failed deliveries created since then are sent again', EXAMPLE_TIME),
      }),
      response: Success(Type.Object({ redelivered: count('Number of deliveries that were scheduled again', 3) })),
      errors: [...MISSING, 'INVALID_DATE'],
      run: async ({ core, actor, params, body }) =>
        core.webhooks.redeliverFailed(actor, params.id, await timeFrom(core, actor, body.since, 'since')),
    }),
    route({
      ...read,
      path: `${base}/:id/deliveries/:deliveryId`,
      id: id('getWebhookDelivery'),
      summary: 'One delivery with its body and attempts',
      description: 'Contains what was sent and what the receiver answered.',
      params: Params('id', 'deliveryId'),
      response: Success(DeliveryDetail),
      errors: MISSING,
      run: ({ core, actor, params }) => core.webhooks.getDelivery(actor, params.id, params.deliveryId),
    }),
    route({
      ...write,
      path: `${base}/:id/deliveries/:deliveryId/redeliver`,
      id: id('redeliverWebhook'),
      summary: 'Send a delivery again immediately',
      description:
        'Sends the same bytes. If it succeeds, the delivery is delivered; if it fails, neither its status nor its schedule changes.',
      params: Params('id', 'deliveryId'),
      response: Success(DeliveryDetail),
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params }) => core.webhooks.redeliver(actor, params.id, params.deliveryId),
    }),
  ];
}

const CatchUpBody = {
  fromEventId: Type.Optional(Text(60, 'an event; the events after it are sent')),
  fromDate: Type.Optional(MomentIn('the events since then are sent')),
  types: Type.Optional(EventTypesIn),
};

/** Returns a checked request for a catch-up. @throws ServiceError VALIDATION_ERROR unless it has exactly one start; INVALID_DATE. */
async function catchUpFrom(
  core: Core,
  actor: Actor,
  { fromEventId, fromDate, types }: { fromEventId?: string; fromDate?: string; types?: string[] },
): Promise<CatchUpRequest> {
  if ((fromEventId === undefined) === (fromDate === undefined))
    throw new ServiceError('VALIDATION_ERROR', 'Send either `fromEventId` or `fromDate`.', {
      field: fromDate === undefined ? 'fromEventId' : 'fromDate',
    });
  return {
    ...(fromEventId === undefined ? {} : { fromEventId }),
    ...(fromDate === undefined ? {} : { from: await timeFrom(core, actor, fromDate, 'fromDate') }),
    ...(types === undefined ? {} : { types }),
  };
}
