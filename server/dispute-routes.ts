import { Type } from 'typebox';
import type { DisputeOutcome, DisputeStage, DisputeStatusFilter } from '#core/disputes';
import { type Route, route, success } from '#server/http';
import {
  ConclusionBody,
  DateIn,
  DateQuery,
  DISPUTE_FILTERS,
  DisputeChangeBody,
  DisputeDetailOut,
  DisputeOut,
  DisputeSummaryOut,
  datedPageFrom,
  disputeDetailRecord,
  disputeRecord,
  disputeSummaryRecord,
  NewDisputeBody,
  oneOf,
  PageQuery,
  Paginated,
  Params,
  paginated,
  Success,
  Text,
} from '#server/schemas';

const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const CHANGING = [...MISSING, 'RESOURCE_CONFLICT'] as const;

/** Declares the routes of disputes, which are the same on the Public and the Admin surface (decisions 12). */
export function disputeRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Disputes' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'disputes:read' } as const;
  const write = { ...shared, method: 'POST', permission: 'disputes:write' } as const;
  const params = Params('id');
  return [
    route({
      ...read,
      path: '/disputes',
      id: `${surface}.listDisputes`,
      summary: 'Disputed payments, newest first or by due date',
      description: 'The status `active` selects the disputes that are not concluded, and `due` those that await a response.',
      query: Type.Object({
        ...PageQuery,
        ...DateQuery,
        status: oneOf(...DISPUTE_FILTERS),
        dueBefore: Type.Optional(DateIn('a day, YYYY-MM-DD: disputes with a due date on or before it')),
        order: oneOf('newest', 'due-date'),
        transactionId: Type.Optional(Text(60)),
        merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')),
      }),
      response: Paginated(DisputeOut),
      errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: async ({ core, actor, query }) => {
        const { dueBefore, transactionId, merchantId } = query;
        const status = query.status as DisputeStatusFilter | undefined;
        const order = query.order as 'newest' | 'due-date' | undefined;
        const filter = { status, dueBefore, transactionId, merchantId, order };
        return core.disputes.page(actor, filter, await datedPageFrom(core, actor, query));
      },
      show: (page) => paginated(page, disputeRecord),
    }),
    route({
      ...read,
      path: '/disputes/summary',
      id: `${surface}.getDisputeSummary`,
      summary: 'Due disputes, the amount at stake and the rate of won disputes',
      query: Type.Object({ merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')) }),
      response: Success(DisputeSummaryOut),
      errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      run: ({ core, actor, query }) => core.disputes.summary(actor, query.merchantId),
      show: (summary) => success(disputeSummaryRecord(summary)),
    }),
    route({
      ...read,
      path: '/disputes/:id',
      id: `${surface}.getDispute`,
      summary: 'One dispute with the money that it moved',
      params,
      response: Success(DisputeDetailOut),
      errors: MISSING,
      run: ({ core, actor, params: { id } }) => core.disputes.get(actor, id),
      show: (dispute) => success(disputeDetailRecord(dispute)),
    }),
    route({
      ...write,
      path: '/disputes',
      id: `${surface}.createDispute`,
      summary: 'Record a dispute that the processor does not report',
      description:
        'Withholds the amount from the merchant, unless the stage is `retrieval`. The amount is at most the captured amount; by default it is the part that was not refunded. Refunds that wait are canceled if the same money would be returned twice. A payment has at most one active dispute.',
      created: true,
      idempotent: true,
      body: NewDisputeBody,
      response: Success(DisputeOut),
      errors: ['TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_AMOUNT', 'INVALID_DATE', 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, body }) => ({
        dispute: await core.disputes.open(actor, { ...body, stage: body.stage as DisputeStage | undefined }),
      }),
      show: ({ dispute }) => success(disputeRecord(dispute)),
    }),
    route({
      ...write,
      method: 'PUT',
      path: '/disputes/:id',
      id: `${surface}.updateDispute`,
      summary: 'Change the notes, reason, due date or case of a dispute',
      params,
      body: DisputeChangeBody,
      response: Success(DisputeOut),
      errors: [...CHANGING, 'INVALID_DATE'],
      run: ({ core, actor, params: { id }, body }) => core.disputes.change(actor, id, body),
      show: (dispute) => success(disputeRecord(dispute)),
    }),
    route({
      ...write,
      path: '/disputes/:id/accept',
      id: `${surface}.acceptDispute`,
      summary: 'Give a dispute up',
      description: 'The payer keeps the money. This cannot be undone. Emits chargeback.lost with the outcome `accepted`.',
      params,
      response: Success(DisputeOut),
      errors: CHANGING,
      run: ({ core, actor, params: { id } }) => core.disputes.accept(actor, id),
      show: (dispute) => success(disputeRecord(dispute)),
    }),
    route({
      ...write,
      path: '/disputes/:id/conclude',
      id: `${surface}.concludeDispute`,
      summary: 'Record the decision or an escalation',
      description:
        'A won dispute returns the withheld amount to the merchant. Pre-arbitration after a won dispute withholds it again. Each fee is charged once, with its step.',
      params,
      body: ConclusionBody,
      response: Success(DisputeOut),
      errors: [...CHANGING, 'INVALID_AMOUNT', 'INVALID_DATE'],
      run: ({ core, actor, params: { id }, body }) =>
        core.disputes.conclude(actor, id, { ...body, outcome: body.outcome as DisputeOutcome }),
      show: (dispute) => success(disputeRecord(dispute)),
    }),
    route({
      ...write,
      path: '/disputes/:id/submit',
      id: `${surface}.submitDispute`,
      summary: 'Record that the evidence was sent to the acquirer',
      params,
      response: Success(DisputeOut),
      errors: CHANGING,
      run: ({ core, actor, params: { id } }) => core.disputes.submit(actor, id),
      show: (dispute) => success(disputeRecord(dispute)),
    }),
  ];
}
