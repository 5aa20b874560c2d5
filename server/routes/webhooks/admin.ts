import { Type } from 'typebox';
import { Delivery, ReceiverRequest } from '#core/records/webhooks';
import { route, Success } from '#server/http';
import { Params } from '#server/schemas';
import { eventRoutes } from './event-routes.ts';
import { webhookRoutes } from './routes.ts';

const ofTransaction = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/transactions/:id/deliveries',
  id: 'admin.listTransactionDeliveries',
  tag: 'Webhooks',
  summary: 'Webhook deliveries about a transaction',
  description: 'Deliveries to all endpoints that the caller may see, newest first.',
  permission: 'webhooks:read',
  params: Params('id'),
  response: Success(Type.Array(Delivery)),
  errors: ['TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, params }) => {
    const { transactionId } = await core.payments.get(actor, params.id);
    return core.webhooks.deliveriesOf(actor, transactionId);
  },
});

const receiverRequest = route({
  surface: 'admin',
  scope: 'merchant',
  method: 'GET',
  path: '/webhooks/events/:id/request',
  id: 'admin.getEventRequest',
  tag: 'Webhooks',
  summary: 'An event as the built-in receiver catches it',
  description:
    'Returns the request that an endpoint would get: headers and body, signed at this time with the secret of the built-in receiver. Needs no endpoint and sends nothing.',
  permission: 'webhooks:read',
  params: Params('id'),
  response: Success(ReceiverRequest),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.webhooks.receiverRequest(actor, params.id),
});

/** The routes of endpoints under a second path. The document describes them once, under the first one. */
const aliases = webhookRoutes('admin', '/webhooks', 'Alias').map((each) => ({
  ...each,
  description: `Another path of \`${each.id.replace(/Alias$/, '')}\`, with the same parameters, responses and rules.`,
}));

export const adminWebhooks = [
  ...eventRoutes('admin'),
  receiverRequest,
  ...webhookRoutes('admin', '/webhooks/endpoints'),
  ...aliases,
  ofTransaction,
];
