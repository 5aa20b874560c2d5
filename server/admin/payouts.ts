import { type Static, Type } from 'typebox';
import type { PayoutFilter } from '#core/settlement';
import { route, success } from '#server/http';
import {
  AmountIn,
  BatchOut,
  batchRecord,
  CurrencyIn,
  DateIn,
  DateQuery,
  datedPageFrom,
  EmailIn,
  FundingOut,
  fundingRecord,
  oneOf,
  PageQuery,
  Paginated,
  PaginationOut,
  Params,
  PayoutOut,
  pageFrom,
  paginated,
  payoutRecord,
  Success,
  Text,
} from '#server/schemas';
import { sendFunding } from './funding-stream.ts';

const shared = { surface: 'admin', tag: 'Settlement', scope: 'merchant' } as const;
const read = { ...shared, method: 'GET', permission: 'settlement:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settlement:write' } as const;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const DATES = ['INVALID_DATE', ...MERCHANT] as const;
const Day = DateIn('a day, YYYY-MM-DD');
const Period = {
  startDate: Type.Optional(Day),
  endDate: Type.Optional(Day),
  merchantId: Type.Optional(Text(60)),
  currency: Type.Optional(CurrencyIn),
};
const Outgoing = Type.Object({
  ...PageQuery,
  ...DateQuery,
  status: oneOf('pending', 'processing', 'paid', 'failed'),
  merchantId: Type.Optional(Text(60)),
  currency: Type.Optional(CurrencyIn),
  settlementId: Type.Optional(Text(60, 'settlement that it pays')),
  paidSince: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
      description: 'paid at this time or later, as responses write times',
    }),
  ),
});
const LIST = ['INVALID_CURRENCY', ...MERCHANT] as const;

/** The filter of a list of what goes out. */
const filterOf = ({ page: _, limit: __, cursor: ___, startDate: ____, endDate: _____, ...filter }: Static<typeof Outgoing>): PayoutFilter =>
  filter;

const payout = route({
  ...write,
  path: '/settlement/payout',
  id: 'admin.createPayout',
  summary: 'Pay out what is settled and unpaid, or a part of it',
  description: 'The oldest settlement is paid in full before the next. Above what is unpaid: 422 INVALID_AMOUNT with `availableToPayOut`.',
  idempotent: true,
  body: Type.Object({ merchantId: Text(60), amount: Type.Optional(AmountIn), currency: Type.Optional(CurrencyIn) }),
  answer: Success(PayoutOut),
  errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT', ...MERCHANT],
  run: ({ core, actor, body }) => core.settlement.payOut(actor, body),
  show: (made) => success(payoutRecord(made)),
});

const payouts = route({
  ...read,
  path: '/settlement/payouts',
  id: 'admin.listPayouts',
  summary: 'Payouts, newest first',
  query: Outgoing,
  answer: Paginated(PayoutOut),
  errors: LIST,
  run: async ({ core, actor, query }) => core.settlement.payouts(actor, filterOf(query), await datedPageFrom(core, actor, query)),
  show: (page) => paginated(page, payoutRecord),
});

const getPayout = route({
  ...read,
  path: '/settlement/payouts/:payoutId',
  id: 'admin.getPayout',
  summary: 'One payout',
  params: Params('payoutId'),
  answer: Success(PayoutOut),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.settlement.payout(actor, params.payoutId),
  show: (found) => success(payoutRecord(found)),
});

const generate = route({
  ...write,
  path: '/settlement/batch-payouts/generate',
  id: 'admin.generateBatchPayout',
  summary: 'Bundle the unpaid settlements of a period into one batch',
  description:
    'By settlement date, both days inclusive. The batch is pending until the next day of the merchant, then processing, and paid a day later; what it holds can be paid by nothing else meanwhile.',
  idempotent: true,
  body: Type.Object({ merchantId: Text(60), startDate: Day, endDate: Day, currency: Type.Optional(CurrencyIn) }),
  answer: Success(BatchOut),
  errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'RESOURCE_CONFLICT', ...DATES],
  run: ({ core, actor, body }) => core.settlement.makeBatch(actor, body),
  show: (made) => success(batchRecord(made)),
});

const batches = route({
  ...read,
  path: '/settlement/batch-payouts',
  id: 'admin.listBatchPayouts',
  summary: 'Batch payouts, newest first',
  query: Outgoing,
  answer: Paginated(BatchOut),
  errors: LIST,
  run: async ({ core, actor, query }) => core.settlement.batches(actor, filterOf(query), await datedPageFrom(core, actor, query)),
  show: (page) => paginated(page, batchRecord),
});

const batch = route({
  ...read,
  path: '/settlement/batch-payouts/:batchId',
  id: 'admin.getBatchPayout',
  summary: 'One batch payout',
  params: Params('batchId'),
  answer: Success(BatchOut),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.settlement.batch(actor, params.batchId),
  show: (found) => success(batchRecord(found)),
});

const conclude = route({
  ...write,
  path: '/settlement/batch-payouts/:batchId/conclude',
  id: 'admin.concludeBatchPayout',
  summary: 'Record what the bank did with a batch',
  description: 'A failed one gives its settlements back, to be paid anew.',
  idempotent: true,
  params: Params('batchId'),
  body: Type.Object({
    status: Type.Union([Type.Literal('paid'), Type.Literal('failed')], { description: 'paid or failed' }),
    note: Type.Optional(Text(500)),
  }),
  answer: Success(BatchOut),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, params, body }) => core.settlement.concludeBatch(actor, params.batchId, body as never),
  show: (concluded) => success(batchRecord(concluded)),
});

const fundingReport = route({
  ...read,
  path: '/settlement/funding-report',
  id: 'admin.fundingReport',
  summary: 'What was settled in a period, with its sums',
  description:
    'By settlement date, oldest first; thirty days until today unless dates are given. Without `merchantId` it covers every merchant that the caller may see. In the currency of the merchant unless one is named; what the period has in others is told beside it. Every settlement is in the answer, however many; with `limit`, `page` or `cursor` those of one page and `pagination`, while the totals stay those of the whole period.',
  query: Type.Object({ ...PageQuery, ...Period }),
  answer: Type.Object({ success: Type.Literal(true), data: FundingOut, pagination: Type.Optional(PaginationOut) }),
  errors: ['INVALID_CURRENCY', ...DATES],
  run: async ({ core, actor, query: { page, limit, cursor, ...of }, reply }) => {
    if (page !== undefined || limit !== undefined || cursor !== undefined)
      return core.settlement.fundingReport(actor, of, pageFrom({ page, limit, cursor }));
    await sendFunding(reply, await core.settlement.fundingStream(actor, of));
    return null;
  },
  // Null was streamed.
  show: (report) => report && fundingRecord(report),
});

const mailReport = route({
  ...write,
  path: '/settlement/funding-report/email',
  id: 'admin.mailFundingReport',
  summary: 'Send the funding report by e-mail',
  description: 'Without `merchantId` it covers every merchant that the caller may see.',
  body: Type.Object({ email: EmailIn, ...Period }),
  answer: Success(Type.Object({ messageId: Type.String() })),
  errors: ['INVALID_EMAIL', 'INVALID_CURRENCY', ...DATES],
  run: ({ core, actor, body }) => core.settlement.mailReport(actor, body),
  show: success,
});

export const adminPayouts = [payout, payouts, getPayout, generate, batches, batch, conclude, fundingReport, mailReport];
