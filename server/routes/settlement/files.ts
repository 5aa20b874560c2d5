import { Type } from 'typebox';
import type { BatchLine, Settlement } from '#core/books/settlement';
import { money } from '#core/kernel';
import { type Column, route, sendCsv } from '#server/http';
import { CurrencyIn, DateIn, DateQuery, MerchantIn, Params } from '#server/schemas';

const shared = {
  surface: 'admin',
  scope: 'merchant',
  tag: 'Settlement',
  permission: 'settlement:read',
  exports: 'settlement',
  contentType: 'text/csv',
  response: Type.String(),
} as const;
const Day = DateIn('a day, YYYY-MM-DD');

const SETTLEMENT: readonly Column<Settlement>[] = [
  ['settlementDate', (row) => row.settlementDate],
  ['settlementId', (row) => row.settlementId],
  ['merchantId', (row) => row.merchantId],
  ['currency', (row) => row.currency],
  ['captures', (row) => row.captures],
  ['refunds', (row) => row.refunds],
  ['disputes', (row) => row.disputes],
  ['amount', (row) => row.amount],
  ['fees', (row) => row.fees],
  ['netAmount', (row) => row.netAmount],
  ['paidAmount', (row) => row.paidAmount],
  ['transactionCount', (row) => row.transactionCount],
  ['refundCount', (row) => row.refundCount],
  ['status', (row) => row.status],
];

const BATCH_LINE: readonly Column<BatchLine>[] = [
  ['batchId', (row) => row.batchId],
  ['settlementDate', (row) => row.settlementDate],
  ['settlementId', (row) => row.settlementId],
  ['kind', (row) => row.kind],
  ['id', (row) => row.id],
  ['transactionId', (row) => row.transactionId],
  ['at', (row) => row.at],
  ['currency', (row) => row.amount.currency],
  ['amount', (row) => row.amount],
  ['fee', (row) => row.fee],
  ['netAmount', (row) => money(row.amount.minor - row.fee.minor, row.amount.currency)],
];

const fundingCsv = route({
  ...shared,
  method: 'POST',
  path: '/settlement/funding-report/export/csv',
  id: 'admin.exportFundingReport',
  summary: 'Funding report as CSV',
  description:
    'Every settlement of the period in every currency, or in the named one. Without `merchantId` it covers every merchant that the caller may see.',
  query: Type.Object({
    startDate: Type.Optional(Day),
    endDate: Type.Optional(Day),
    merchantId: MerchantIn,
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
  summary: 'Captures, refunds and dispute movements of a batch payout as CSV',
  description: 'The net amounts sum to the net amount of the batch. `startDate` and `endDate` select settlement dates.',
  params: Params('batchId'),
  query: Type.Object(DateQuery),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'INVALID_DATE'],
  run: async ({ core, actor, params, query, reply }) => {
    const lines = await core.settlement.batchLines(actor, params.batchId, query);
    await sendCsv(reply, `${params.batchId}.csv`, BATCH_LINE, lines);
  },
});

export const adminSettlementFiles = [fundingCsv, batchCsv];
