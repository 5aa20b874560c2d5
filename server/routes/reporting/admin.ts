import { Type } from 'typebox';
import {
  type AnalyticsQuery,
  type BatchFilter,
  BatchTotals,
  DailySummary,
  GiftCardReport,
  ItemReport,
  Ledger,
  OtherCurrencies,
  RefundAnalysis,
  type ReportMail,
  RevenueAnalysis,
  TipReport,
  TodayComparison,
  TransactionAnalysis,
  TransactionReportTotals,
} from '#core/books/reporting';
import { Settlement } from '#core/books/settlement';
import { currencyCode } from '#core/platform/fields';
import { SentMessage } from '#core/records/notifications';
import { Transaction } from '#core/sales/payments';
import { type Column, PaginatedWith, route, Success, sendCsv } from '#server/http';
import {
  AnalyticsQueryIn,
  BatchQuery,
  DailySummaryQueryIn,
  filterFrom,
  GiftCardReportQueryIn,
  LIST_ERRORS,
  MerchantIn,
  oneOf,
  pageFrom,
  ReportMailBody,
  ReportQuery,
  TipQueryIn,
  TodayQueryIn,
  TransactionFilters,
  withoutPage,
} from '#server/schemas';
import { sendTransactions } from '../export.ts';

const read = { surface: 'admin', method: 'GET', tag: 'Reporting', permission: 'reporting:read', scope: 'merchant' } as const;
const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const REPORT = ['INVALID_DATE', 'INVALID_CURRENCY', ...SCOPE] as const;
const currency = currencyCode('ISO 4217 code of the currency of the totals');
const ALL_MERCHANTS = 'Without `merchantId` the report covers every merchant that the caller may see.';

const transactions = route({
  ...read,
  path: '/reporting/transactions',
  id: 'admin.reportTransactions',
  summary: 'Transactions of a filter with their totals',
  description: `The totals cover all transactions of the filter in one currency, not only the page. ${ALL_MERCHANTS}`,
  rate: 'list-transactions',
  query: ReportQuery,
  response: PaginatedWith(Transaction, { currency, totals: TransactionReportTotals, otherCurrencies: OtherCurrencies }),
  errors: [...LIST_ERRORS, 'INVALID_CURRENCY'],
  run: ({ core, actor, query: { currency, ...query } }) =>
    core.reporting.transactions(actor, { ...filterFrom(query), currency }, pageFrom(query)),
});

const batches = route({
  ...read,
  path: '/reporting/batches',
  id: 'admin.reportBatches',
  summary: 'Settlements with their totals, newest first',
  description: `startDate and endDate are settlement dates. ${ALL_MERCHANTS}`,
  query: BatchQuery,
  response: PaginatedWith(Settlement, { currency, totals: BatchTotals, otherCurrencies: OtherCurrencies }),
  errors: REPORT,
  run: ({ core, actor, query }) => core.reporting.batches(actor, withoutPage(query) as BatchFilter, pageFrom(query)),
});

const dailySummary = route({
  ...read,
  path: '/reporting/daily-summary',
  id: 'admin.dailySummary',
  summary: 'Daily close, of one day or a range of days',
  description: `Of a range the sums cover all days, and \`days\` has a row for each. Amounts count on the day of their movement, as in the ledger; voids and declines on the day of the payment. ${ALL_MERCHANTS}`,
  query: DailySummaryQueryIn,
  response: Success(DailySummary),
  errors: REPORT,
  run: ({ core, actor, query }) => core.reporting.dailySummary(actor, query),
});

const today = route({
  ...read,
  path: '/reporting/today',
  id: 'admin.compareToday',
  summary: 'Today, and the same weekday of the previous week until the same time',
  description: `Both parts of a day end at the same time of day, so that they can be compared. ${ALL_MERCHANTS}`,
  query: TodayQueryIn,
  response: Success(TodayComparison),
  errors: ['INVALID_CURRENCY', ...SCOPE],
  run: ({ core, actor, query }) => core.reporting.compareToday(actor, query),
});

const exportCsv = route({
  ...read,
  path: '/reporting/export/transactions',
  exports: 'reporting',
  id: 'admin.reportExportTransactions',
  summary: 'Transactions as CSV',
  description: 'The same file as /transactions/export: every transaction of the filter, streamed.',
  query: Type.Object({ ...TransactionFilters, format: oneOf('csv') }),
  contentType: 'text/csv',
  response: Type.String(),
  errors: LIST_ERRORS,
  run: ({ core, actor, query: { format: _, ...filter }, reply }) =>
    sendTransactions({ core, actor, reply }, core.payments.transactionLines(actor, filterFrom(filter))),
});

const analytics = {
  ...read,
  tag: 'Analytics',
  query: AnalyticsQueryIn,
  errors: REPORT,
} as const;
const SERIES =
  'Days are inclusive; by default the last 30. A series by day, week or month has a row for every day, week or month, even if it is empty; a series by brand or merchant has rows only for those with transactions.';

const analyseTransactions = route({
  ...analytics,
  path: '/analytics/transactions',
  id: 'admin.analyseTransactions',
  summary: 'Transactions over time, by creation date',
  description: `${SERIES} Transactions are counted with their present status, as in the list. ${ALL_MERCHANTS}`,
  response: Success(TransactionAnalysis),
  run: ({ core, actor, query }) => core.reporting.analyseTransactions(actor, query as AnalyticsQuery),
});

const analyseRevenue = route({
  ...analytics,
  path: '/analytics/revenue',
  id: 'admin.analyseRevenue',
  summary: 'Revenue over time, by the day of the movement of money',
  description: `${SERIES} The sums come from the ledger. ${ALL_MERCHANTS}`,
  response: Success(RevenueAnalysis),
  run: ({ core, actor, query }) => core.reporting.analyseRevenue(actor, query as AnalyticsQuery),
});

const analyseRefunds = route({
  ...analytics,
  path: '/analytics/refunds',
  id: 'admin.analyseRefunds',
  summary: 'Refunds over time, by creation date',
  description: `${SERIES} ${ALL_MERCHANTS}`,
  response: Success(RefundAnalysis),
  run: ({ core, actor, query }) => core.reporting.analyseRefunds(actor, query as AnalyticsQuery),
});

const tips = route({
  ...read,
  path: '/reporting/tips',
  id: 'admin.reportTips',
  summary: 'Tips by the person who made the payment',
  description: `Tips count on the day of their movement; refunded ones are taken off. Days are inclusive; by default the last 30. ${ALL_MERCHANTS}`,
  query: TipQueryIn,
  response: Success(TipReport),
  errors: REPORT,
  run: ({ core, actor, query }) => core.reporting.tips(actor, query),
});

const GIFT_CARD_REPORT =
  'Movements of what is owed to holders of gift cards and store credit, from the ledger, by the day of the movement. `openingAmount` and the sums of a period are `openAmount` at its end: issued, reloaded, imported, refunded and reinstated amounts add, redeemed, taken back and expired ones take off. Days are inclusive; by default the last 30.';

const giftCards = route({
  ...read,
  path: '/reporting/gift-cards',
  id: 'admin.reportGiftCards',
  summary: 'Gift cards over time, with the open liability',
  description: `${GIFT_CARD_REPORT} ${ALL_MERCHANTS}`,
  query: GiftCardReportQueryIn,
  response: Success(GiftCardReport),
  errors: REPORT,
  run: ({ core, actor, query }) => core.reporting.giftCards(actor, query as AnalyticsQuery),
});

type GiftCardRow = GiftCardReport['series'][number];
const GIFT_CARD_COLUMNS: readonly Column<GiftCardRow>[] = [
  ['key', (point) => point.key, 'plain'],
  ['label', (point) => point.label],
  ['issuedCount', (point) => point.issuedCount],
  ['issuedAmount', (point) => point.issuedAmount],
  ['reloadedCount', (point) => point.reloadedCount],
  ['reloadedAmount', (point) => point.reloadedAmount],
  ['givenAmount', (point) => point.givenAmount],
  ['importedAmount', (point) => point.importedAmount],
  ['redeemedCount', (point) => point.redeemedCount],
  ['redeemedAmount', (point) => point.redeemedAmount],
  ['refundedAmount', (point) => point.refundedAmount],
  ['takenBackAmount', (point) => point.takenBackAmount],
  ['expiredAmount', (point) => point.expiredAmount],
  ['reinstatedAmount', (point) => point.reinstatedAmount],
  ['openAmount', (point) => point.openAmount],
  ['currency', (point) => point.openAmount.currency, 'plain'],
];

const exportGiftCards = route({
  ...read,
  path: '/reporting/gift-cards/export',
  exports: 'reporting',
  id: 'admin.exportGiftCardReport',
  summary: 'Gift cards over time as CSV',
  description: `${GIFT_CARD_REPORT} ${ALL_MERCHANTS}`,
  query: Type.Object({ ...GiftCardReportQueryIn.properties, format: oneOf('csv') }),
  contentType: 'text/csv',
  response: Type.String(),
  errors: REPORT,
  run: async ({ core, actor, query: { format: _, ...query }, reply }) =>
    sendCsv(reply, 'gift-cards.csv', GIFT_CARD_COLUMNS, (await core.reporting.giftCards(actor, query as AnalyticsQuery)).series),
});

const ITEM_REPORT =
  'Paid sales with line items, by card, bank account, cash, check and other tenders. A sale counts on its day. Its refunds are taken off on that day too, in proportion to its lines, whenever they were made. Categories are those that the items have now. Days are inclusive; by default the last 30.';

const items = route({
  ...read,
  path: '/reporting/items',
  id: 'admin.reportItems',
  summary: 'Sales by item',
  description: `${ITEM_REPORT} ${ALL_MERCHANTS}`,
  query: TipQueryIn,
  response: Success(ItemReport),
  errors: REPORT,
  run: ({ core, actor, query }) => core.reporting.items(actor, query),
});

const ITEM_COLUMNS: readonly Column<ItemReport['items'][number]>[] = [
  ['itemId', (item) => item.itemId, 'plain'],
  ['name', (item) => item.name],
  ['count', (item) => item.count],
  ['quantity', (item) => item.quantity],
  ['sales', (item) => item.sales],
  ['taxes', (item) => item.taxes],
  ['refunds', (item) => item.refunds],
  ['net', (item) => item.net],
  ['currency', (item) => item.net.currency, 'plain'],
  ['category', (item) => item.category],
  ['discounts', (item) => item.discounts],
];

const exportItems = route({
  ...read,
  path: '/reporting/items/export',
  exports: 'reporting',
  id: 'admin.exportItemReport',
  summary: 'Sales by item as CSV',
  description: `${ITEM_REPORT} ${ALL_MERCHANTS}`,
  query: Type.Object({ ...TipQueryIn.properties, format: oneOf('csv') }),
  contentType: 'text/csv',
  response: Type.String(),
  errors: REPORT,
  run: async ({ core, actor, query: { format: _, ...query }, reply }) =>
    sendCsv(reply, 'sales-by-item.csv', ITEM_COLUMNS, (await core.reporting.items(actor, query)).items),
});

const mailReport = route({
  ...read,
  method: 'POST',
  path: '/reporting/email',
  exports: 'reporting',
  id: 'admin.mailReport',
  summary: 'Send a report by email',
  description: `Sends the report, as its caller can read it now, to one address: at most 200 lines, and the totals. Without \`startDate\` and \`endDate\` it covers the last 30 days. \`groupBy\` is ignored by \`declines\`, which lists the reasons, and by \`items\`. Messages are counted as all others that a caller asks for. ${ALL_MERCHANTS}`,
  body: ReportMailBody,
  response: Success(SentMessage),
  errors: ['INVALID_EMAIL', ...REPORT],
  run: ({ core, actor, body }) => core.reporting.mail(actor, body as ReportMail),
});

const ledger = route({
  ...read,
  tag: 'Settlement',
  permission: 'settlement:read',
  path: '/settlement/ledger',
  id: 'admin.ledger',
  summary: "Balances of the ledger's accounts",
  description:
    'Debits less credits: amounts owed by the processor are positive, amounts owed to the merchant negative. `paydesk ledger` recomputes them from every transfer.',
  query: Type.Object({ merchantId: MerchantIn }),
  response: Success(Ledger),
  errors: SCOPE,
  run: ({ core, actor, query }) => core.reporting.accounts(actor, query.merchantId),
});

export const adminReporting = [
  transactions,
  batches,
  dailySummary,
  today,
  exportCsv,
  analyseTransactions,
  analyseRevenue,
  analyseRefunds,
  tips,
  items,
  exportItems,
  giftCards,
  exportGiftCards,
  mailReport,
  ledger,
];
