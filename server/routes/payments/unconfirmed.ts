import { Type } from 'typebox';
import { EXAMPLE, id, list, literals, one } from '#core/platform/fields';
import { InquiryResult, OUTCOMES, Transaction, UnconfirmedCounts, UnconfirmedPayment } from '#core/sales/payments';
import { route, Success, SuccessWith } from '#server/http';
import { AlwaysTrue, MerchantIn, Params, withActions } from '#server/schemas';
import { forCaller } from '../actions.ts';

const shared = { surface: 'admin', tag: 'Unconfirmed payments', scope: 'merchant' } as const;
const NOTE = { minLength: 5, maxLength: 500, [EXAMPLE]: 'The processor shows the payment as approved' };

const inquiring = { ...shared, method: 'POST', permission: 'transactions:write' } as const;
const deciding = { ...shared, method: 'POST', permission: 'settlement:write' } as const;
/** Access rules of the operations on an unconfirmed payment. */
const ACCESS = { inquire: inquiring, conclude: deciding, acknowledge: deciding };

const listAll = route({
  ...shared,
  method: 'GET',
  path: '/unconfirmed-payments',
  id: 'admin.listUnconfirmedPayments',
  summary: 'Unconfirmed payments, newest last',
  description:
    'At most 200. Operations whose gateway did not respond or holds them for review, each with what the caller can do with it; Paydesk inquires automatically and sends nothing twice. A terminal can pass `last4` and `amount` before it charges, to find an unconfirmed payment of the same card.',
  permission: 'transactions:read',
  query: Type.Object({
    merchantId: MerchantIn,
    last4: Type.Optional(Type.String({ pattern: '^\\d{4}$', description: 'four digits of the card or account' })),
    amount: Type.Optional(Type.String({ pattern: '^\\d{1,11}(\\.\\d{1,4})?$', description: 'a decimal amount' })),
  }),
  response: SuccessWith('UnconfirmedPaymentList', {
    data: list(withActions('ListedUnconfirmedPayment', UnconfirmedPayment, ACCESS), 'Operations, newest last'),
    counts: one(UnconfirmedCounts, 'Counts for the requested merchants, without the other filters'),
  }),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async (call) => {
    const { core, actor, query } = call;
    const { payments, counts } = await core.payments.unconfirmed.list(actor, query);
    return { data: await Promise.all(payments.map((payment) => forCaller(call, ACCESS, payment))), counts };
  },
});

const inquire = route({
  ...inquiring,
  path: '/unconfirmed-payments/:id/inquire',
  id: 'admin.inquireUnconfirmedPayment',
  summary: 'Inquire at the gateway now',
  description: 'Responds within a few seconds. `isInquiring`: the gateway has not responded yet, or another inquiry is running.',
  params: Params('id'),
  response: Success(InquiryResult),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.payments.unconfirmed.inquire(actor, params.id),
});

const conclude = route({
  ...deciding,
  path: '/unconfirmed-payments/:id/conclude',
  id: 'admin.concludeUnconfirmedPayment',
  summary: "Record the outcome that the processor's website shows",
  description:
    'Allowed only if `needsPerson` is true. Has the same effects as a response of the gateway. Otherwise RESOURCE_CONFLICT with `details.reason`: ended, inquiry_under_way, not_for_a_person, not_unconfirmed or void_is_repeated.',
  params: Params('id'),
  body: Type.Object({
    outcome: literals(OUTCOMES, 'approved: the processor has the payment; failed: it had no effect'),
    gatewayReference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[!-~]+$',
        description: 'a reference at the processor without spaces; required to approve a new payment',
      }),
    ),
    note: Type.String({
      ...NOTE,
      pattern: '\\S',
      description: 'a note of 5 to 500 characters on what was observed; for the history and the audit log',
    }),
  }),
  response: Success(Transaction),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.payments.unconfirmed.conclude(actor, params.id, body),
});

const acknowledge = route({
  ...deciding,
  path: '/unconfirmed-payments/:id/acknowledge',
  id: 'admin.acknowledgeUnconfirmedPayment',
  summary: 'Acknowledge a concluded operation with a note',
  description: 'Allowed only if `stage` is `ended`. The audit log contains the note.',
  params: Params('id'),
  body: Type.Object({
    note: Type.String({ ...NOTE, pattern: '\\S', description: 'a note of 5 to 500 characters on the action that was taken' }),
  }),
  response: Success(Type.Object({ id: id('txn', 'ID of the transaction'), acknowledged: AlwaysTrue })),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, params, body }) => {
    await core.payments.unconfirmed.acknowledge(actor, params.id, body.note);
    return params.id;
  },
  show: (id) => ({ id, acknowledged: true }),
});

export const adminUnconfirmedPayments = [listAll, inquire, conclude, acknowledge];
