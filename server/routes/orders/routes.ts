import { Type } from 'typebox';
import { CreatedOrder, ORDER_STATUSES, Order, OrderDetail, RefundProposal } from '#core/sales/orders';
import { Paginated, type Route, route, Success } from '#server/http';
import {
  AMOUNT_RANGE,
  CancelOrderBody,
  CustomerIdIn,
  DateQuery,
  datedPageFrom,
  NewOrderBody,
  oneOf,
  PageQuery,
  Params,
  ParkOrderBody,
  ResumeOrderBody,
  Text,
  withActions,
} from '#server/schemas';
import { forCaller } from '../actions.ts';

const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const params = Params('id');

/** Declares the routes of orders, which are the same on the Public and the Admin surface. */
export function orderRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Orders' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'transactions:read' } as const;
  const write = { ...shared, method: 'POST', permission: 'transactions:write' } as const;
  const access = { pay: write, park: write, resume: write, cancel: write };
  const change = { ...write, idempotent: true, params, response: Success(Order), errors: [...MISSING, 'RESOURCE_CONFLICT'] } as const;
  return [
    route({
      ...write,
      path: '/orders',
      id: `${surface}.createOrder`,
      summary: 'Create an order that several payments can pay',
      description:
        'Payments and tenders name the order in `orderId`. Each claims its amount, without tip and surcharge, before it is sent: together they never exceed the order. Each gets its share of the tax and of the discount. A sale with one payment needs no order.',
      created: true,
      idempotent: true,
      body: NewOrderBody,
      response: Success(CreatedOrder),
      errors: [
        ...SCOPE,
        'NOT_FOUND',
        'CUSTOMER_NOT_FOUND',
        'INVALID_AMOUNT',
        'INVALID_CURRENCY',
        'REQUIRED_FIELD_MISSING',
        'RESOURCE_CONFLICT',
        'RATE_LIMIT_EXCEEDED',
      ],
      run: async ({ core, actor, body }) => ({ order: await core.orders.create(actor, body) }),
      show: ({ order }) => order,
    }),
    route({
      ...read,
      path: '/orders',
      id: `${surface}.listOrders`,
      summary: 'Orders, newest first',
      description: 'With `status` `parked` the list of parked sales. Orders are no money and appear in no total; their payments do.',
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        status: oneOf(...ORDER_STATUSES),
        merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
        customerId: Type.Optional(CustomerIdIn),
        q: Type.Optional(Text(200, 'a number, an ID, a name, a reference, or the name of the customer')),
      }),
      response: Paginated(Order),
      errors: ['INVALID_DATE', ...SCOPE],
      run: async ({ core, actor, query }) => {
        const { status, merchantId, customerId, q } = query;
        const filter = {
          ...(status && { status }),
          ...(merchantId && { merchantId }),
          ...(customerId && { customerId }),
          ...(q && { q }),
        };
        return core.orders.page(actor, filter, await datedPageFrom(core, actor, query));
      },
    }),
    route({
      ...read,
      path: '/orders/:id',
      id: `${surface}.getOrder`,
      summary: 'One order with its payments',
      description: 'Returns the order with its payments, oldest first, and with what the caller can do with it.',
      params,
      response: Success(withActions('OrderWithActions', OrderDetail, access)),
      errors: MISSING,
      run: (call) => forCaller(call, access, call.core.orders.getWithActions(call.actor, call.params.id)),
    }),
    route({
      ...read,
      path: '/orders/:id/refund-proposal',
      id: `${surface}.proposeOrderRefund`,
      summary: 'Shares of a refund by original payment',
      description:
        'Divides an amount among the payments of the order, in proportion to what remains of each, and never above it. Nothing is refunded: send each share to the refund of its payment. RESOURCE_CONFLICT while the outcome of a payment is not known.',
      params,
      query: Type.Object({ amount: Type.Optional(Text(20, `${AMOUNT_RANGE}; by default everything that can be refunded`)) }),
      response: Success(RefundProposal),
      errors: [...MISSING, 'INVALID_AMOUNT', 'ALREADY_REFUNDED', 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params: { id }, query }) => core.orders.proposeRefund(actor, id, query),
    }),
    route({
      ...change,
      path: '/orders/:id/park',
      id: `${surface}.parkOrder`,
      summary: 'Park an order',
      description: 'Puts an order without payments aside. It takes no payment until a person resumes it.',
      body: ParkOrderBody,
      run: async ({ core, actor, params: { id }, body }) => ({ order: await core.orders.park(actor, id, body) }),
      show: ({ order }) => order,
    }),
    route({
      ...change,
      path: '/orders/:id/resume',
      id: `${surface}.resumeOrder`,
      summary: 'Resume a parked order, or take over an open one',
      description:
        'Of several people who resume an order, the first one gets it; the others get RESOURCE_CONFLICT with `details.heldBy`. With `takeOverFrom` a person takes over an open order from the one who has it. Then people who do not have it cannot pay, park or cancel it (`details.reason` `order_held`); API keys can.',
      body: ResumeOrderBody,
      run: async ({ core, actor, params: { id }, body }) => ({ order: await core.orders.resume(actor, id, body) }),
      show: ({ order }) => order,
    }),
    route({
      ...change,
      path: '/orders/:id/cancel',
      id: `${surface}.cancelOrder`,
      summary: 'Cancel an order',
      description:
        'An order with payments is canceled after they were voided or refunded: RESOURCE_CONFLICT with `details.reason` `order_has_payments`, or `payment_pending` while the outcome of a payment is not known.',
      body: CancelOrderBody,
      run: async ({ core, actor, params: { id }, body }) => ({ order: await core.orders.cancel(actor, id, body) }),
      show: ({ order }) => order,
    }),
  ];
}
