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
  summary: 'Transactions of a filter with their totals',
  description: `The totals cover all transactions of the filter in one currency, not only the page. ${MONEY}`,
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
  summary: 'Settlements with their totals, newest first',
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
  summary: 'Daily close',
  description: `Money by the day of its movement, as in the ledger; voids and declines by the day of the payment. ${MONEY}`,
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
  summary: 'Payments over time, by the day of their creation',
  description: `${SERIES} Payments are counted in their present state, as in the list. ${MONEY}`,
  answer: Success(TransactionAnalysisOut),
  run: ({ core, actor, query }) => core.reporting.analyseTransactions(actor, query as AnalyticsQuery),
  show: (found) => success(analysisRecord(found)),
});

const analyseRevenue = route({
  ...analytics,
  path: '/analytics/revenue',
  id: 'admin.analyseRevenue',
  summary: 'Money over time, by the day of its movement',
  description: `${SERIES} The sums come from the ledger. ${MONEY}`,
  answer: Success(RevenueAnalysisOut),
  run: ({ core, actor, query }) => core.reporting.analyseRevenue(actor, query as AnalyticsQuery),
  show: (found) => success(analysisRecord(found)),
});

const analyseRefunds = route({
  ...analytics,
  path: '/analytics/refunds',
  id: 'admin.analyseRefunds',
  summary: 'Refunds over time, by the day of their creation',
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
  summary: "Balances of the ledger's accounts",
  description:
    'Debits less credits: amounts owed by the processor are positive, amounts owed to the merchant negative. `npm run ledger` sums every transfer.',
  query: Type.Object({ merchantId: Type.Optional(Text(60)) }),
  answer: Success(LedgerOut),
  errors: SCOPE,
  run: ({ core, actor, query }) => core.reporting.accounts(actor, query.merchantId),
  show: (found) => success(ledgerRecord(found)),
});

export const adminReporting = [transactions, batches, dailySummary, exportCsv, analyseTransactions, analyseRevenue, analyseRefunds, ledger];
