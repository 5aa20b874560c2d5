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
  summary: 'Operations whose outcome nobody knows yet, the newest last',
  description:
    'At most 200. A gateway left them unanswered, or holds them for review; each is asked about again by itself and nothing is sent twice. A terminal asks with last4 and amount before it charges.',
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
  summary: 'Ask the gateway now what became of it',
  description:
    'Answers within a few seconds. `isBeingAsked` says that the gateway has not answered yet, or that another inquiry is under way.',
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
  summary: 'End it as a person saw it at the gateway',
  description:
    'Only where `needsPerson`. Everything follows as from the gateway’s own answer. RESOURCE_CONFLICT tells in details.reason why not: ended, inquiry_under_way, not_for_a_person, not_in_doubt or void_is_repeated.',
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
        description: 'the gateway’s own name of it; required of a new payment that is approved',
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
  summary: 'Take what has ended off the board, with what was done about it',
  description: 'Only where `stage` is `ended`. The note stands in the audit log.',
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
