import { Type } from 'typebox';
import type { AnalyticsQuery, BatchFilter } from '#core/reporting';
import { route, success } from '#server/http';
import {
  AnalyticsQueryIn,
  analysisRecord,
  BatchesOut,
  BatchQuery,
  batchesRecord,
  DailySummaryOut,
  DailySummaryQueryIn,
  dailySummaryRecord,
  filterFrom,
  LedgerOut,
  LIST_ERRORS,
  ListQuery,
  ledgerRecord,
  oneOf,
  pageFrom,
  RefundAnalysisOut,
  ReportQuery,
  RevenueAnalysisOut,
  Success,
  Text,
  TransactionAnalysisOut,
  TransactionReportOut,
  transactionReportRecord,
} from '#server/schemas';
import { sendTransactions } from './export.ts';

const read = { surface: 'admin', method: 'GET', tag: 'Reporting', permission: 'reporting:read', scope: 'merchant' } as const;
const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const REPORT = ['INVALID_DATE', 'INVALID_CURRENCY', ...SCOPE] as const;
const MONEY = 'All of a tenant’s merchants are told of where none is named and the caller acts for all.';

const transactions = route({
  ...read,
  path: '/reporting/transactions',
  id: 'admin.reportTransactions',
  summary: 'Transactions of a filter with what they come to',
  description: `The totals are of all transactions of the filter in one currency, not of the page alone. ${MONEY}`,
  rate: 'list-transactions',
  query: ReportQuery,
  answer: TransactionReportOut,
  errors: [...LIST_ERRORS, 'INVALID_CURRENCY'],
  run: ({ core, actor, query: { currency, ...query } }) =>
    core.reporting.transactions(actor, { ...filterFrom(query), currency }, pageFrom(query)),
  show: transactionReportRecord,
});

const batches = route({
  ...read,
  path: '/reporting/batches',
  id: 'admin.reportBatches',
  summary: 'Settlements with what they come to, newest first',
  description: `startDate and endDate are settlement dates. ${MONEY}`,
  query: BatchQuery,
  answer: BatchesOut,
  errors: REPORT,
  run: ({ core, actor, query: { page: _, limit: __, cursor: ___, ...filter }, query }) =>
    core.reporting.batches(actor, filter as BatchFilter, pageFrom(query)),
  show: batchesRecord,
});

const dailySummary = route({
  ...read,
  path: '/reporting/daily-summary',
  id: 'admin.dailySummary',
  summary: 'The close of a day',
  description: `Money by the day it moved on, as the ledger has it; voids and declines by the day the payment was made on. ${MONEY}`,
  query: DailySummaryQueryIn,
  answer: Success(DailySummaryOut),
  errors: REPORT,
  run: ({ core, actor, query }) => core.reporting.dailySummary(actor, query),
  show: (found) => success(dailySummaryRecord(found)),
});

const exportCsv = route({
  ...read,
  path: '/reporting/export/transactions',
  id: 'admin.reportExportTransactions',
  summary: 'Transactions as CSV',
  description: 'The same file as /transactions/export: every transaction of the filter, streamed.',
  query: Type.Object({ ...ListQuery.properties, format: oneOf('csv') }),
  contentType: 'text/csv',
  answer: Type.String(),
  errors: LIST_ERRORS,
  run: ({ core, actor, query: { format: _, ...filter }, reply }) =>
    sendTransactions(reply, core.payments.transactionLines(actor, filterFrom(filter))),
});

const analytics = {
  ...read,
  tag: 'Analytics',
  query: AnalyticsQueryIn,
  errors: REPORT,
} as const;
const SERIES =
  'Days are inclusive, the last 30 unless given. A series by day, week or month has a row for every one of them, also where nothing was; by brand or merchant, for those that something was of.';

const analyseTransactions = route({
  ...analytics,
  path: '/analytics/transactions',
  id: 'admin.analyseTransactions',
  summary: 'Payments over time, by the day they were made on',
  description: `${SERIES} Payments are counted as they stand now, as in the list. ${MONEY}`,
  answer: Success(TransactionAnalysisOut),
  run: ({ core, actor, query }) => core.reporting.analyseTransactions(actor, query as AnalyticsQuery),
  show: (found) => success(analysisRecord(found)),
});

const analyseRevenue = route({
  ...analytics,
  path: '/analytics/revenue',
  id: 'admin.analyseRevenue',
  summary: 'Money over time, by the day it moved on',
  description: `${SERIES} The sums are the ledger’s. ${MONEY}`,
  answer: Success(RevenueAnalysisOut),
  run: ({ core, actor, query }) => core.reporting.analyseRevenue(actor, query as AnalyticsQuery),
  show: (found) => success(analysisRecord(found)),
});

const analyseRefunds = route({
  ...analytics,
  path: '/analytics/refunds',
  id: 'admin.analyseRefunds',
  summary: 'Refunds over time, by the day they were made on',
  description: `${SERIES} ${MONEY}`,
  answer: Success(RefundAnalysisOut),
  run: ({ core, actor, query }) => core.reporting.analyseRefunds(actor, query as AnalyticsQuery),
  show: (found) => success(analysisRecord(found)),
});

const ledger = route({
  ...read,
  tag: 'Settlement',
  permission: 'settlement:read',
  path: '/settlement/ledger',
  id: 'admin.ledger',
  summary: 'What the accounts of the ledger hold',
  description:
    'Debits less credits: what the processor owes is above zero, what is owed to the merchant below. `npm run ledger` adds every transfer up.',
  query: Type.Object({ merchantId: Type.Optional(Text(60)) }),
  answer: Success(LedgerOut),
  errors: SCOPE,
  run: ({ core, actor, query }) => core.reporting.accounts(actor, query.merchantId),
  show: (found) => success(ledgerRecord(found)),
});

export const adminReporting = [transactions, batches, dailySummary, exportCsv, analyseTransactions, analyseRevenue, analyseRefunds, ledger];
