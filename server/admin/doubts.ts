import { Type } from 'typebox';
import type { Decision } from '#core/payments';
import { route, success } from '#server/http';
import {
  DoubtCountsOut,
  DoubtOut,
  doubtRecord,
  Params,
  Success,
  showTransaction,
  Text,
  TransactionOut,
  transactionRecord,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'Payments in doubt', scope: 'merchant' } as const;
const NOTE = { minLength: 5, maxLength: 500 };

const list = route({
  ...shared,
  method: 'GET',
  path: '/doubts',
  id: 'admin.listDoubts',
  summary: 'Unconfirmed operations, newest last',
  description:
    'At most 200. A gateway did not answer them, or holds them for review; Paydesk inquires automatically and sends nothing twice. A terminal passes `last4` and `amount` before it charges.',
  permission: 'transactions:read',
  query: Type.Object({
    merchantId: Type.Optional(Text(60)),
    last4: Type.Optional(Type.String({ pattern: '^\\d{4}$', description: 'four digits of the card or account' })),
    amount: Type.Optional(Type.String({ pattern: '^\\d{1,11}(\\.\\d{1,4})?$', description: 'a decimal amount' })),
  }),
  answer: Type.Object({ success: Type.Literal(true), data: Type.Array(DoubtOut), counts: DoubtCountsOut }),
  errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, query }) => core.payments.doubts.list(actor, query),
  show: ({ doubts, counts }) => ({ success: true, data: doubts.map(doubtRecord), counts }),
});

const inquire = route({
  ...shared,
  method: 'POST',
  path: '/doubts/:id/inquire',
  id: 'admin.inquireDoubt',
  summary: 'Inquire at the gateway now',
  description: 'Responds within a few seconds. `isBeingAsked`: the gateway has not answered yet, or another inquiry is running.',
  permission: 'transactions:write',
  params: Params('id'),
  answer: Success(
    Type.Union([
      Type.Object({ ended: Type.Literal(true), transaction: TransactionOut }),
      Type.Object({ ended: Type.Literal(false), isBeingAsked: Type.Boolean(), doubt: DoubtOut }),
    ]),
  ),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params }) => core.payments.doubts.inquire(actor, params.id),
  show: (inquired) =>
    success(
      inquired.ended
        ? { ended: true, transaction: transactionRecord(inquired.transaction) }
        : { ...inquired, doubt: doubtRecord(inquired.doubt) },
    ),
});

const conclude = route({
  ...shared,
  method: 'POST',
  path: '/doubts/:id/conclude',
  id: 'admin.concludeDoubt',
  summary: "Conclude it by what the gateway's screens show",
  description:
    'Only if `needsPerson` is true. It has the effects of the gateway’s own answer. Otherwise RESOURCE_CONFLICT with `details.reason`: ended, inquiry_under_way, not_for_a_person, not_in_doubt or void_is_repeated.',
  permission: 'settlement:write',
  params: Params('id'),
  body: Type.Object({
    outcome: Type.Union([Type.Literal('approved'), Type.Literal('failed')], {
      description: 'approved: the gateway has it; failed: it never had an effect',
    }),
    gatewayReference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[!-~]+$',
        description: 'reference at the gateway; required to approve a new payment',
      }),
    ),
    note: Type.String({ ...NOTE, pattern: '\\S', description: 'what was seen, for the history and the audit log' }),
  }),
  answer: Success(TransactionOut),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.payments.doubts.conclude(actor, params.id, body as Decision),
  show: showTransaction,
});

const acknowledge = route({
  ...shared,
  method: 'POST',
  path: '/doubts/:id/acknowledge',
  id: 'admin.acknowledgeDoubt',
  summary: 'Acknowledge a concluded operation with a note',
  description: 'Only if `stage` is `ended`. The audit log contains the note.',
  permission: 'settlement:write',
  params: Params('id'),
  body: Type.Object({ note: Type.String({ ...NOTE, pattern: '\\S', description: 'what was done about it' }) }),
  answer: Success(Type.Object({ id: Type.String(), acknowledged: Type.Literal(true) })),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, params, body }) => {
    await core.payments.doubts.acknowledge(actor, params.id, body.note);
    return params.id;
  },
  show: (id) => success({ id, acknowledged: true }),
});

export const adminDoubts = [list, inquire, conclude, acknowledge];
