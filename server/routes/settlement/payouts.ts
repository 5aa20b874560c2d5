import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  BATCH_RESULTS,
  type FundingPage,
  FundingReport,
  type FundingStream,
  FundingTotals,
  Payout,
  PayoutBatch,
  type PayoutFilter,
  Settlement,
} from '#core/books/settlement';
import { literals, one } from '#core/platform/fields';
import { SentMessage } from '#core/records/notifications';
import { Paginated, Pagination, paginationOf, responseBody, route, Success, SuccessWith } from '#server/http';
import {
  AmountIn,
  bodyOrQuery,
  CurrencyIn,
  DateIn,
  DateQuery,
  datedPageFrom,
  EmailIn,
  MerchantIdIn,
  MerchantIn,
  NoteIn,
  oneOf,
  PageQuery,
  Params,
  pageFrom,
  Text,
  withActions,
  withoutPage,
} from '#server/schemas';
import { forCaller } from '../actions.ts';

/** Number of settlements that are written together. */
const BLOCK = 100;

/** Streams a funding report as JSON by the schema of the route: any number of settlements in bounded memory, followed by their totals. */
async function sendFunding(reply: FastifyReply, { settlements, totals }: FundingStream): Promise<void> {
  async function* pieces() {
    yield '{"success":true,"data":{"settlements":[';
    let separator = '';
    let block: string[] = [];
    for await (const settlement of settlements) {
      block.push(responseBody({ response: Settlement }, settlement));
      if (block.length < BLOCK) continue;
      yield separator + block.join(',');
      separator = ',';
      block = [];
    }
    if (block.length > 0) yield separator + block.join(',');
    // The members of the object that follow its list.
    yield `],${responseBody({ response: FundingTotals }, totals()).slice(1, -1)}}}`;
  }
  await reply.type('application/json; charset=utf-8').send(Readable.from(pieces()));
}

const shared = { surface: 'admin', tag: 'Settlement', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'settlement:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settlement:write' } as const;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const DATES = ['INVALID_DATE', ...MERCHANT] as const;
const Day = DateIn('a day, YYYY-MM-DD');
const Period = {
  startDate: Type.Optional(Day),
  endDate: Type.Optional(Day),
  merchantId: MerchantIn,
  currency: Type.Optional(CurrencyIn),
};
const PayoutQuery = Type.Object({
  ...PageQuery,
  ...DateQuery,
  status: oneOf('pending', 'processing', 'paid', 'failed'),
  merchantId: MerchantIn,
  currency: Type.Optional(CurrencyIn),
  settlementId: Type.Optional(Text(60, 'settlement that the payout pays')),
  paidSince: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
      description: 'a time in the format of responses, 2027-01-31T12:00:00.000Z; payouts paid at or after it',
    }),
  ),
});
const LIST = ['INVALID_CURRENCY', ...MERCHANT] as const;

/** Returns the filter of a list of payouts. */
function filterOf(query: Static<typeof PayoutQuery>): PayoutFilter {
  const { startDate: _startDate, endDate: _endDate, ...filter } = withoutPage(query);
  return filter;
}

/** Returns a page of the report with its position. */
const shownPage = ({ totals, settlements }: FundingPage) => ({
  data: { ...totals, settlements: settlements.items },
  pagination: paginationOf(settlements),
});

const payout = route({
  ...write,
  path: '/settlement/payout',
  id: 'admin.createPayout',
  summary: 'Record a payout of the settled, unpaid amount or a part of it',
  description:
    'The oldest settlement is paid in full before the next one. A larger amount than the unpaid one is refused with 422 INVALID_AMOUNT and `availableToPayOut`.',
  idempotent: true,
  body: Type.Object({ merchantId: MerchantIdIn, amount: Type.Optional(AmountIn), currency: Type.Optional(CurrencyIn) }),
  response: Success(Payout),
  errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT', ...MERCHANT],
  run: ({ core, actor, body }) => core.settlement.payOut(actor, body),
});

const payouts = route({
  ...read,
  path: '/settlement/payouts',
  id: 'admin.listPayouts',
  summary: 'Payouts, newest first',
  description: 'Payouts of all merchants that the caller may see.',
  query: PayoutQuery,
  response: Paginated(Payout),
  errors: LIST,
  run: async ({ core, actor, query }) => core.settlement.payouts(actor, filterOf(query), await datedPageFrom(core, actor, query)),
});

const getPayout = route({
  ...read,
  path: '/settlement/payouts/:payoutId',
  id: 'admin.getPayout',
  summary: 'One payout',
  description: 'Returns the payout with its settlements.',
  params: Params('payoutId'),
  response: Success(Payout),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.settlement.payout(actor, params.payoutId),
});

const generate = route({
  ...write,
  path: '/settlement/batch-payouts/generate',
  id: 'admin.generateBatchPayout',
  summary: 'Create a batch payout of the unpaid settlements of a period',
  description:
    'The period is by settlement date, both days inclusive. The batch is pending until the next day in the time zone of the merchant, then processing, and paid a day later. Its settlements cannot be paid in any other way in the meantime.',
  idempotent: true,
  body: Type.Object({ merchantId: MerchantIdIn, startDate: Day, endDate: Day, currency: Type.Optional(CurrencyIn) }),
  response: Success(PayoutBatch),
  errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT', ...DATES],
  run: ({ core, actor, body }) => core.settlement.makeBatch(actor, body),
});

const batches = route({
  ...read,
  path: '/settlement/batch-payouts',
  id: 'admin.listBatchPayouts',
  summary: 'Batch payouts, newest first',
  description: 'A batch pays all unpaid settlements of a period.',
  query: PayoutQuery,
  response: Paginated(PayoutBatch),
  errors: LIST,
  run: async ({ core, actor, query }) => core.settlement.batches(actor, filterOf(query), await datedPageFrom(core, actor, query)),
});

const batch = route({
  ...read,
  path: '/settlement/batch-payouts/:batchId',
  id: 'admin.getBatchPayout',
  summary: 'One batch payout',
  description: 'Returns the batch with its settlements, and what the caller can do with it.',
  params: Params('batchId'),
  response: Success(withActions('PayoutBatchDetail', PayoutBatch, { conclude: write })),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: (call) => forCaller(call, { conclude: write }, call.core.settlement.getBatch(call.actor, call.params.batchId)),
});

const conclude = route({
  ...write,
  path: '/settlement/batch-payouts/:batchId/conclude',
  id: 'admin.concludeBatchPayout',
  summary: 'Record the result of the bank for a batch',
  description: 'The settlements of a failed batch can be paid again.',
  idempotent: true,
  params: Params('batchId'),
  body: Type.Object({
    status: literals(BATCH_RESULTS, 'paid or failed'),
    note: Type.Optional(NoteIn),
  }),
  response: Success(PayoutBatch),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.settlement.concludeBatch(actor, params.batchId, body),
});

const fundingReport = route({
  ...read,
  path: '/settlement/funding-report',
  id: 'admin.fundingReport',
  summary: 'Settlements of a period with their totals',
  description:
    'By settlement date, oldest first; by default the last 30 days. Without `merchantId` it covers every merchant that the caller may see. The currency is by default that of the merchant; `otherCurrencies` contains the totals in other currencies. The response contains every settlement of the period. With `limit`, `page` or `cursor` it contains one page and `pagination`, while the totals still cover the whole period. To iterate over the settlements with a client, use `GET /reporting/batches`, which lists the same ones, newest first.',
  query: Type.Object({ ...PageQuery, ...Period }),
  response: SuccessWith('FundingReportResult', {
    data: one(FundingReport, 'The report'),
    pagination: Type.Optional(one(Pagination, 'Position of the page in the list')),
  }),
  errors: ['INVALID_CURRENCY', ...DATES],
  run: async ({ core, actor, query: { page, limit, cursor, ...period }, reply }) => {
    if (page !== undefined || limit !== undefined || cursor !== undefined)
      return shownPage(await core.settlement.fundingReport(actor, period, pageFrom({ page, limit, cursor })));
    const stream = await core.settlement.fundingStream(actor, period);
    await sendFunding(reply, stream);
    // The whole response has been sent, so that this result is not.
    return { data: { ...stream.totals(), settlements: [] } };
  },
});

const mailReport = route({
  ...write,
  path: '/settlement/funding-report/email',
  id: 'admin.mailFundingReport',
  exports: 'settlement',
  summary: 'Send the funding report by email',
  description:
    'The period, the merchant and the currency are accepted in the body and, as for the CSV file, in the query. Without `merchantId` it covers every merchant that the caller may see.',
  query: Type.Object(Period),
  body: Type.Object({ email: EmailIn(), ...Period }),
  response: Success(SentMessage),
  errors: ['INVALID_EMAIL', 'INVALID_CURRENCY', ...DATES],
  run: ({ core, actor, query, body }) => {
    const either = (name: keyof typeof Period) => bodyOrQuery(name, body[name], query[name]);
    const [startDate, endDate, merchantId, currency] = [either('startDate'), either('endDate'), either('merchantId'), either('currency')];
    return core.settlement.mailReport(actor, { email: body.email, startDate, endDate, merchantId, currency });
  },
});

export const adminPayouts = [payout, payouts, getPayout, generate, batches, batch, conclude, fundingReport, mailReport];
