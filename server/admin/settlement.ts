import { Type } from 'typebox';
import { ServiceError } from '#core/kernel';
import type { HistoryFilter, ScheduleChange } from '#core/settlement';
import { route, success } from '#server/http';
import {
  CurrencyIn,
  DateQuery,
  datedPageFrom,
  oneOf,
  PageQuery,
  Paginated,
  Params,
  pageFrom,
  paginated,
  ScheduleBody,
  ScheduleOut,
  SettlementLineOut,
  SettlementOut,
  StandingOut,
  Success,
  scheduleRecord,
  settlementLineRecord,
  settlementRecord,
  standingRecord,
  Text,
  UnsettledLineOut,
  unsettledLineRecord,
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
  params: Params('merchantId'),
  answer: Success(ScheduleOut),
  errors: MERCHANT,
  run: async ({ core, actor, params: { merchantId } }) => ({ merchantId, schedule: await core.settlement.getSchedule(actor, merchantId) }),
  show: (found) => success(scheduleRecord(found)),
});

const changeSchedule = route({
  ...write,
  method: 'PUT',
  path: '/settlement/schedule/:merchantId',
  id: 'admin.updateSettlementSchedule',
  summary: 'Change the settlement schedule',
  description:
    'Missing fields stay unchanged, and the response of GET can be sent back unchanged. A `timezone` alone becomes the schedule’s own; `timezoneSource` `merchant` follows the merchant’s again. It applies from the next cutoff on; `manual` settles nothing automatically.',
  params: Params('merchantId'),
  body: ScheduleBody,
  answer: Success(ScheduleOut),
  errors: MERCHANT,
  run: async ({ core, actor, params: { merchantId }, body: { merchantId: named = merchantId, nextCutoffAt: _, ...change } }) => {
    if (named !== merchantId)
      throw new ServiceError('VALIDATION_ERROR', '`merchantId` must be the merchant of the path.', { field: 'merchantId' });
    return { merchantId, schedule: await core.settlement.changeSchedule(actor, merchantId, change as ScheduleChange) };
  },
  show: (found) => success(scheduleRecord(found)),
});

const history = route({
  ...read,
  path: '/settlement/history/:merchantId',
  id: 'admin.listSettlements',
  summary: 'Settlements of a merchant, newest first',
  params: Params('merchantId'),
  query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf('pending', 'paid'), currency: Type.Optional(CurrencyIn) }),
  answer: Paginated(SettlementOut),
  errors: ['INVALID_CURRENCY', 'INVALID_DATE', ...MERCHANT],
  run: async ({ core, actor, params: { merchantId }, query, query: { status, currency } }) => {
    const at = await datedPageFrom(core, actor, { ...query, merchantId });
    return core.settlement.history(actor, merchantId, { status, currency } as HistoryFilter, at);
  },
  show: (page) => paginated(page, settlementRecord),
});

const settle = route({
  ...write,
  path: '/settlement/settle',
  id: 'admin.settleNow',
  summary: 'Settle everything captured and refunded until now',
  description: 'One settlement per currency; if there is nothing to settle, the list is empty.',
  idempotent: true,
  body: Type.Object({ merchantId: Type.Optional(Text(60)) }),
  answer: Success(Type.Array(SettlementOut)),
  errors: [...MERCHANT, 'RESOURCE_CONFLICT'],
  run: async ({ core, actor, body }) =>
    core.settlement.settle(actor, (await core.merchants.merchantFor(actor, body.merchantId)).merchantId),
  show: (settlements) => success(settlements.map(settlementRecord)),
});

const summary = route({
  ...read,
  path: '/settlement/summary',
  id: 'admin.settlementSummary',
  summary: 'Unsettled, unpaid and recently paid amounts',
  description:
    'Without `merchantId` it covers every merchant that the caller may see. `merchantId`, `frequency` and `nextCutoffAt` are null then, and the currency is that of the first merchant.',
  query: Type.Object({ merchantId: Type.Optional(Text(60)) }),
  answer: Success(StandingOut),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.settlement.standing(actor, query.merchantId),
  show: (found) => success(standingRecord(found)),
});

const unsettled = route({
  ...read,
  path: '/settlement/unsettled',
  id: 'admin.listUnsettled',
  summary: 'Unsettled captures and refunds, newest first',
  description:
    "The lines that `unsettled` of the summary counts and sums, in the merchant's currency unless one is named. Without `merchantId` it covers every merchant that the caller may see.",
  query: Type.Object({ ...PageQuery, merchantId: Type.Optional(Text(60)), currency: Type.Optional(CurrencyIn) }),
  answer: Paginated(UnsettledLineOut),
  errors: ['INVALID_CURRENCY', ...MERCHANT],
  run: ({ core, actor, query, query: { merchantId, currency } }) =>
    core.settlement.unsettledLines(actor, { merchantId, currency }, pageFrom(query)),
  show: (page) => paginated(page, unsettledLineRecord),
});

const get = route({
  ...read,
  path: '/settlement/settlements/:id',
  id: 'admin.getSettlement',
  summary: 'One settlement',
  params: Params('id'),
  answer: Success(SettlementOut),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.settlement.get(actor, params.id),
  show: (settlement) => success(settlementRecord(settlement)),
});

const lines = route({
  ...read,
  path: '/settlement/settlements/:id/lines',
  id: 'admin.listSettlementLines',
  summary: 'Captures and refunds of a settlement',
  description: 'Their amounts sum to its amount, their fees to its fees.',
  params: Params('id'),
  query: Type.Object(PageQuery),
  answer: Paginated(SettlementLineOut),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params, query }) => core.settlement.lines(actor, params.id, pageFrom(query)),
  show: (page) => paginated(page, settlementLineRecord),
});

export const adminSettlement = [getSchedule, changeSchedule, history, settle, summary, unsettled, get, lines];
