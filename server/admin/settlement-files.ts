import { Type } from 'typebox';
import { money } from '#core/kernel';
import type { BatchLine, Settlement } from '#core/settlement';
import { type Column, route, sendCsv } from '#server/http';
import { CurrencyIn, DateIn, Params, Text } from '#server/schemas';

const shared = {
  surface: 'admin',
  scope: 'merchant',
  tag: 'Settlement',
  permission: 'settlement:read',
  contentType: 'text/csv',
  answer: Type.String(),
} as const;
const Day = DateIn('a day, YYYY-MM-DD');

const SETTLEMENT: readonly Column<Settlement>[] = [
  ['settlementDate', (of) => of.settlementDate],
  ['settlementId', (of) => of.settlementId],
  ['merchantId', (of) => of.merchantId],
  ['currency', (of) => of.currency],
  ['captures', (of) => of.captures],
  ['refunds', (of) => of.refunds],
  ['amount', (of) => of.amount],
  ['fees', (of) => of.fees],
  ['netAmount', (of) => of.netAmount],
  ['paidAmount', (of) => of.paidAmount],
  ['transactionCount', (of) => of.transactionCount],
  ['refundCount', (of) => of.refundCount],
  ['status', (of) => of.status],
];

const BATCH_LINE: readonly Column<BatchLine>[] = [
  ['batchId', (of) => of.batchId],
  ['settlementDate', (of) => of.settlementDate],
  ['settlementId', (of) => of.settlementId],
  ['kind', (of) => of.kind],
  ['id', (of) => of.id],
  ['transactionId', (of) => of.transactionId],
  ['at', (of) => of.at],
  ['currency', (of) => of.amount.currency],
  ['amount', (of) => of.amount],
  ['fee', (of) => of.fee],
  ['netAmount', (of) => money(of.amount.minor - of.fee.minor, of.amount.currency)],
];

const fundingCsv = route({
  ...shared,
  method: 'POST',
  path: '/settlement/funding-report/export/csv',
  id: 'admin.exportFundingReport',
  summary: 'The funding report as CSV',
  description:
    'Every settlement of the period in every currency, or in the named one. Without `merchantId` it covers every merchant that the caller may see.',
  query: Type.Object({
    startDate: Type.Optional(Day),
    endDate: Type.Optional(Day),
    merchantId: Type.Optional(Text(60)),
    currency: Type.Optional(CurrencyIn),
  }),
  errors: ['INVALID_DATE', 'INVALID_CURRENCY', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, query, reply }) => {
    const { settlements } = await core.settlement.fundingLines(actor, query);
    await sendCsv(reply, 'funding-report.csv', SETTLEMENT, settlements);
  },
});

const batchCsv = route({
  ...shared,
  method: 'GET',
  path: '/settlement/batch-payouts/:batchId/export',
  id: 'admin.exportBatchPayout',
  summary: 'Every capture and refund of a batch payout as CSV',
  description: 'The net amounts sum to the net amount of the batch.',
  params: Params('batchId'),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, params, reply }) => {
    const lines = await core.settlement.batchLines(actor, params.batchId);
    await sendCsv(reply, `${params.batchId}.csv`, BATCH_LINE, lines);
  },
});

export const adminSettlementFiles = [fundingCsv, batchCsv];
