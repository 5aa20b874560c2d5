import { Type } from 'typebox';
import { type HistoryFilter, type ScheduleChange, Settlement, SettlementSchedule, SettlementStatus } from '#core/books/settlement';
import { ServiceError } from '#core/kernel';
import { Paginated, route, Success } from '#server/http';
import {
  CurrencyIn,
  DateQuery,
  datedPageFrom,
  MerchantIn,
  oneOf,
  PageQuery,
  Params,
  pageFrom,
  ScheduleBody,
  SettlementLineOut,
  UnsettledLineOut,
  withPayments,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'Settlement', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'settlement:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settlement:write' } as const;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

const getSchedule = route({
  ...read,
  path: '/settlement/schedule/:merchantId',
  id: 'admin.getSettlementSchedule',
  summary: 'Settlement schedule',
  description: 'The response can be sent back to change the schedule.',
  params: Params('merchantId'),
  response: Success(SettlementSchedule),
  errors: MERCHANT,
  run: ({ core, actor, params }) => core.settlement.getSchedule(actor, params.merchantId),
});

const changeSchedule = route({
  ...write,
  method: 'PUT',
  path: '/settlement/schedule/:merchantId',
  id: 'admin.updateSettlementSchedule',
  summary: 'Change the settlement schedule',
  description:
    'Missing fields stay unchanged, and the response of GET can be sent back unchanged. Setting `timezone` gives the schedule its own time zone; `timezoneSource` `merchant` uses that of the merchant again. A change applies from the next cutoff on; with `manual` nothing is settled automatically.',
  params: Params('merchantId'),
  body: ScheduleBody,
  response: Success(SettlementSchedule),
  errors: MERCHANT,
  run: async ({
    core,
    actor,
    params: { merchantId },
    body: { merchantId: bodyMerchantId = merchantId, nextCutoffAt: _nextCutoffAt, ...change },
  }) => {
    if (bodyMerchantId !== merchantId)
      throw new ServiceError('VALIDATION_ERROR', '`merchantId` must be the merchant of the path.', { field: 'merchantId' });
    return core.settlement.changeSchedule(actor, merchantId, change as ScheduleChange);
  },
});

const history = route({
  ...read,
  path: '/settlement/history/:merchantId',
  id: 'admin.listSettlements',
  summary: 'Settlements of a merchant, newest first',
  description: 'Each settlement covers the period between two cutoffs.',
  params: Params('merchantId'),
  query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf('pending', 'paid'), currency: Type.Optional(CurrencyIn) }),
  response: Paginated(Settlement),
  errors: ['INVALID_CURRENCY', 'INVALID_DATE', ...MERCHANT],
  run: async ({ core, actor, params: { merchantId }, query, query: { status, currency } }) => {
    const at = await datedPageFrom(core, actor, { ...query, merchantId });
    return core.settlement.history(actor, merchantId, { status, currency } as HistoryFilter, at);
  },
});

const settle = route({
  ...write,
  path: '/settlement/settle',
  id: 'admin.settleNow',
  summary: 'Settle everything captured and refunded until now',
  description: 'One settlement per currency; if there is nothing to settle, the list is empty.',
  idempotent: true,
  body: Type.Object({ merchantId: MerchantIn }),
  response: Success(Type.Array(Settlement)),
  errors: [...MERCHANT, 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, body }) =>
    core.settlement.settle(actor, (await core.merchants.merchantFor(actor, body.merchantId)).merchantId),
});

const summary = route({
  ...read,
  path: '/settlement/summary',
  id: 'admin.settlementSummary',
  summary: 'Unsettled, unpaid and recently paid amounts',
  description:
    'Without `merchantId` it covers every merchant that the caller may see. `merchantId`, `frequency` and `nextCutoffAt` are null then, and the currency is that of the first merchant.',
  query: Type.Object({ merchantId: MerchantIn }),
  response: Success(SettlementStatus),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.settlement.summary(actor, query.merchantId),
});

const unsettled = route({
  ...read,
  path: '/settlement/unsettled',
  id: 'admin.listUnsettled',
  summary: 'Unsettled captures and refunds, newest first',
  description:
    "The lines that `unsettled` of the summary counts and sums; by default in the merchant's currency. Without `merchantId` it covers every merchant that the caller may see.",
  query: Type.Object({ ...PageQuery, merchantId: MerchantIn, currency: Type.Optional(CurrencyIn) }),
  response: Paginated(UnsettledLineOut),
  errors: ['INVALID_CURRENCY', ...MERCHANT],
  run: async ({ core, actor, query, query: { merchantId, currency } }) =>
    withPayments(core, actor, await core.settlement.unsettledLines(actor, { merchantId, currency }, pageFrom(query))),
});

const get = route({
  ...read,
  path: '/settlement/settlements/:id',
  id: 'admin.getSettlement',
  summary: 'One settlement',
  description: 'Returns the settlement with its totals and fees.',
  params: Params('id'),
  response: Success(Settlement),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.settlement.get(actor, params.id),
});

const lines = route({
  ...read,
  path: '/settlement/settlements/:id/lines',
  id: 'admin.listSettlementLines',
  summary: 'Captures and refunds of a settlement',
  description: 'The amounts of the lines sum to the amount of the settlement, their fees to its fees.',
  params: Params('id'),
  query: Type.Object(PageQuery),
  response: Paginated(SettlementLineOut),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, params, query }) => withPayments(core, actor, await core.settlement.lines(actor, params.id, pageFrom(query))),
});

export const adminSettlement = [getSchedule, changeSchedule, history, settle, summary, unsettled, get, lines];
