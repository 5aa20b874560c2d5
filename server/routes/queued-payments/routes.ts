import { Type } from 'typebox';
import { QUEUE_STATUSES, QueuedPayment } from '#core/billing/queued-payments';
import { Paginated, type Route, route, Success } from '#server/http';
import { CustomerIdIn, DateQuery, datedPageFrom, NewLaterBody, oneOf, PageQuery, Params, Text, withActions } from '#server/schemas';
import { forCaller } from '../actions.ts';

const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

/** Declares the routes of payments that are charged later, which are the same on the Public and the Admin surface. */
export function queuedPaymentRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Charge later' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'queued-payments:read' } as const;
  const params = Params('id');
  const decide = { ...shared, method: 'POST', permission: 'queued-payments:release', params, response: Success(QueuedPayment) } as const;
  const access = { release: decide, cancel: decide, replace: decide };
  return [
    route({
      ...shared,
      method: 'POST',
      permission: 'queued-payments:write',
      path: '/queued-payments',
      id: `${surface}.createQueuedPayment`,
      approvable: true,
      summary: 'Queue a payment with a saved card to be charged later',
      description:
        'For outages: the payment is charged as soon as a gateway answers, in the order of the queue and once. Only a saved card or bank account with recorded consent is accepted (RESOURCE_CONFLICT with the reason `no_consent`), within `chargeLaterMaxAmount` and `chargeLaterMaxPerCustomer` of the merchant (INVALID_AMOUNT). The reason `turned_off` means that the merchant does not use it. After 24 hours it expires.',
      created: true,
      idempotent: true,
      body: NewLaterBody,
      response: Success(QueuedPayment),
      errors: [
        ...SCOPE,
        'NOT_FOUND',
        'INVALID_AMOUNT',
        'INVALID_CURRENCY',
        'REQUIRED_FIELD_MISSING',
        'CUSTOMER_NOT_FOUND',
        'RESOURCE_CONFLICT',
      ],
      run: async ({ core, actor, body }) => ({
        queuedPayment: await core.queuedPayments.create(actor, { ...body, isFromShop: surface === 'public' }),
      }),
      show: ({ queuedPayment }) => queuedPayment,
    }),
    route({
      ...read,
      path: '/queued-payments',
      id: `${surface}.listQueuedPayments`,
      summary: 'Payments that are charged later, newest first',
      description: 'They leave in the opposite order, the oldest first.',
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        status: oneOf('open', ...QUEUE_STATUSES),
        customerId: Type.Optional(CustomerIdIn),
        merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
      }),
      response: Paginated(QueuedPayment),
      errors: ['INVALID_DATE', ...SCOPE],
      run: async ({ core, actor, query }) => {
        return core.queuedPayments.page(actor, query, await datedPageFrom(core, actor, query));
      },
    }),
    route({
      ...read,
      path: '/queued-payments/:id',
      id: `${surface}.getQueuedPayment`,
      summary: 'One payment that is charged later',
      description: 'Returns its status, its last payment and the reason of a decline, and what the caller can do with it.',
      params,
      response: Success(withActions('QueuedPaymentDetail', QueuedPayment, access)),
      errors: MISSING,
      run: (call) => forCaller(call, access, call.core.queuedPayments.getWithActions(call.actor, call.params.id)),
    }),
    route({
      ...decide,
      path: '/queued-payments/:id/release',
      id: `${surface}.releaseQueuedPayment`,
      idempotent: true,
      summary: 'Charge it now',
      description:
        'Also for a declined or expired one, which may be charged again. An expired one is checked against the limits like a new one (INVALID_AMOUNT). If no gateway answers, it waits again. Parallel requests charge once; RESOURCE_CONFLICT while its payment is at the gateway, and after it was paid, canceled or replaced.',
      errors: [...MISSING, 'RESOURCE_CONFLICT', 'INVALID_AMOUNT'],
      run: async ({ core, actor, params: { id } }) => ({ queuedPayment: await core.queuedPayments.release(actor, id) }),
      show: ({ queuedPayment }) => queuedPayment,
    }),
    route({
      ...decide,
      path: '/queued-payments/:id/cancel',
      id: `${surface}.cancelQueuedPayment`,
      summary: 'Cancel it',
      description: 'Nothing is charged. RESOURCE_CONFLICT while its payment is at the gateway, and after it was paid.',
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params: { id } }) => core.queuedPayments.cancel(actor, id),
    }),
    route({
      ...decide,
      path: '/queued-payments/:id/link',
      id: `${surface}.replaceQueuedPayment`,
      summary: 'Create a payment link in its place',
      description:
        'The link and the end of this payment are one change, so that never both can be paid. `invoiceId` is the link; send it with the routes of invoices.',
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params: { id } }) => core.queuedPayments.replaceByLink(actor, id),
    }),
  ];
}
