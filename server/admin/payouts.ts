import { Type } from 'typebox';
import {
  AmountIn,
  BatchOut,
  batchRecord,
  CurrencyIn,
  EmailIn,
  FundingOut,
  fundingRecord,
  PageQuery,
  Paginated,
  Params,
  PayoutOut,
  pageFrom,
  paginated,
  payoutRecord,
  Success,
  Text,
} from '#server/schemas';
import { success } from '../envelope.ts';
import { route } from '../route.ts';

const shared = { surface: 'admin', tag: 'Settlement' } as const;
const read = { ...shared, method: 'GET', permission: 'settlement:read' } as const;
const write = { ...shared, method: 'POST', permission: 'settlement:write' } as const;
const MERCHANT = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const DATES = ['INVALID_DATE', ...MERCHANT] as const;
const Day = Text(20, 'a day, YYYY-MM-DD');
const Period = { startDate: Type.Optional(Day), endDate: Type.Optional(Day), merchantId: Type.Optional(Text(60)) };
const OfMerchant = Type.Object({ ...PageQuery, merchantId: Type.Optional(Text(60)) });

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
  query: OfMerchant,
  answer: Paginated(PayoutOut),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.settlement.payouts(actor, query.merchantId, pageFrom(query)),
  show: (page) => paginated(page, payoutRecord),
});

const generate = route({
  ...write,
  path: '/settlement/batch-payouts/generate',
  id: 'admin.generateBatchPayout',
  summary: 'Bundle the unpaid settlements of a period into one batch',
  description:
    'By settlement date, both days inclusive. The batch is pending until the next day of the merchant, then processing, and paid a day later; what it holds can be paid by nothing else meanwhile.',
  body: Type.Object({ merchantId: Text(60), startDate: Day, endDate: Day }),
  answer: Success(BatchOut),
  errors: ['INVALID_AMOUNT', ...DATES],
  run: ({ core, actor, body }) => core.settlement.makeBatch(actor, body),
  show: (made) => success(batchRecord(made)),
});

const batches = route({
  ...read,
  path: '/settlement/batch-payouts',
  id: 'admin.listBatchPayouts',
  summary: 'Batch payouts, newest first',
  query: OfMerchant,
  answer: Paginated(BatchOut),
  errors: MERCHANT,
  run: ({ core, actor, query }) => core.settlement.batches(actor, query.merchantId, pageFrom(query)),
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
  description: 'By settlement date; thirty days until today unless dates are given.',
  query: Type.Object(Period),
  answer: Success(FundingOut),
  errors: DATES,
  run: ({ core, actor, query }) => core.settlement.fundingReport(actor, query),
  show: (report) => success(fundingRecord(report)),
});

const mailReport = route({
  ...write,
  path: '/settlement/funding-report/email',
  id: 'admin.mailFundingReport',
  summary: 'Send the funding report by e-mail',
  body: Type.Object({ email: EmailIn, ...Period }),
  answer: Success(Type.Object({ messageId: Type.String() })),
  errors: ['INVALID_EMAIL', ...DATES],
  run: ({ core, actor, body }) => core.settlement.mailReport(actor, body),
  show: success,
});

export const adminPayouts = [payout, payouts, generate, batches, batch, conclude, fundingReport, mailReport];
