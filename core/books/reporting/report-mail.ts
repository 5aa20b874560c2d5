import { type Actor, formatDecimal, type Money, ServiceError } from '#core/kernel';
import { mailReport } from '#core/records/notifications';
import { analyseRefunds, analyseRevenue, analyseTransactions } from './analytics.ts';
import type { Dependencies } from './dependencies.ts';
import { giftCardReport } from './gift-cards.ts';
import { itemReport } from './item-sales.ts';
import type { Analysis, GiftCardReport, GiftCardSums, ItemReport, RefundSums, RevenueSums, TransactionSums } from './records.ts';
import type { AnalyticsQuery } from './scope.ts';

export interface ReportMail extends AnalyticsQuery {
  readonly report: MailableReport;
  readonly email: string;
}

/** Content of a report as texts. */
interface ReportText {
  readonly startDate: string;
  readonly endDate: string;
  readonly currency: string;
  readonly lines: readonly string[];
  readonly totals: readonly string[];
}

type Columns<Sums> = readonly (readonly [string, (sums: Sums) => number | Money])[];

const percent = (rate: number) => Math.round(rate * 10_000) / 10_000;
const written = (value: number | Money) => (typeof value === 'number' ? String(value) : formatDecimal(value));
const sumsText = <Sums>(columns: Columns<Sums>, sums: Sums) => columns.map(([name, read]) => `${name} ${written(read(sums))}`).join(', ');

const REVENUE: Columns<RevenueSums> = [
  ['sales', ({ salesCount }) => salesCount],
  ['gross', ({ gross }) => gross],
  ['refunds', ({ refunds }) => refunds],
  ['gift cards sold', ({ giftCardsSold }) => giftCardsSold],
  ['fees', ({ fees }) => fees],
  ['net', ({ net }) => net],
  ['tips', ({ tips }) => tips],
  ['taxes', ({ taxes }) => taxes],
];
const TRANSACTIONS: Columns<TransactionSums> = [
  ['payments', ({ count }) => count],
  ['approved', ({ approved }) => approved],
  ['declined', ({ declined }) => declined],
  ['voided', ({ voided }) => voided],
  ['failed', ({ failed }) => failed],
  ['approval rate', ({ approvalRate }) => percent(approvalRate)],
  ['amount', ({ amount }) => amount],
];
const REFUNDS: Columns<RefundSums> = [
  ['refunds', ({ count }) => count],
  ['amount', ({ amount }) => amount],
  ['full', ({ fullCount }) => fullCount],
  ['partial', ({ partialCount }) => partialCount],
  ['declined', ({ declined }) => declined],
  ['rate', ({ rate }) => percent(rate)],
];
const ITEMS: Columns<ItemReport['total']> = [
  ['sales', ({ count }) => count],
  ['amount', ({ sales }) => sales],
  ['taxes', ({ taxes }) => taxes],
  ['discounts', ({ discounts }) => discounts],
  ['refunds', ({ refunds }) => refunds],
  ['net', ({ net }) => net],
];
const GIFT_CARDS: Columns<GiftCardSums> = [
  ['issued', ({ issuedAmount }) => issuedAmount],
  ['reloaded', ({ reloadedAmount }) => reloadedAmount],
  ['imported', ({ importedAmount }) => importedAmount],
  ['redeemed', ({ redeemedAmount }) => redeemedAmount],
  ['refunded', ({ refundedAmount }) => refundedAmount],
  ['taken back', ({ takenBackAmount }) => takenBackAmount],
  ['expired', ({ expiredAmount }) => expiredAmount],
  ['reinstated', ({ reinstatedAmount }) => reinstatedAmount],
  ['owed at the end', ({ openAmount }) => openAmount],
];

/** Returns a series and its sums as texts. */
function seriesText<Sums>(
  columns: Columns<Sums>,
  { startDate, endDate, currency, totals, series }: Omit<Analysis<Sums>, 'groupBy' | 'otherCurrencies'>,
) {
  const lines = series.map((point) => `${point.label}: ${sumsText(columns, point)}`);
  return { startDate, endDate, currency, lines, totals: [`Total: ${sumsText(columns, totals)}`] };
}

const REPORTS = {
  revenue: { name: 'Revenue', read: async (...given: Given) => seriesText(REVENUE, await analyseRevenue(...given)) },
  transactions: { name: 'Transactions', read: async (...given: Given) => seriesText(TRANSACTIONS, await analyseTransactions(...given)) },
  refunds: { name: 'Refunds', read: async (...given: Given) => seriesText(REFUNDS, await analyseRefunds(...given)) },
  declines: {
    name: 'Declines',
    read: async (...given: Given) => {
      const { totals, ...period } = await analyseTransactions(...given);
      return { ...period, lines: totals.declines.map(({ code, count }) => `${code}: ${count}`), totals: [`Total: ${totals.declined}`] };
    },
  },
  items: {
    name: 'Sales by item',
    read: async (...given: Given) => {
      const { items, total, ...period } = await itemReport(...given);
      const lines = items.map((item) => `${item.name}: quantity ${item.quantity}, ${sumsText(ITEMS, item)}`);
      return { ...period, lines, totals: [`Total: ${sumsText(ITEMS, total)}`] };
    },
  },
  'gift-cards': {
    name: 'Gift cards',
    read: async (...given: Given) => {
      if (given[2].groupBy === 'brand')
        throw new ServiceError('VALIDATION_ERROR', 'Gift cards have no brands. Group them by day, week, month or merchant.', {
          field: 'groupBy',
        });
      const report: GiftCardReport = await giftCardReport(...given);
      const { lines, totals, ...period } = seriesText(GIFT_CARDS, { ...report, currency: report.openingAmount.currency });
      return { ...period, lines, totals: [`Owed before: ${formatDecimal(report.openingAmount)}`, ...totals] };
    },
  },
} satisfies Record<string, { readonly name: string; readonly read: (...given: Given) => Promise<ReportText> }>;
type Given = [deps: Dependencies, actor: Actor, query: AnalyticsQuery];

export type MailableReport = keyof typeof REPORTS;
/** Reports that can be sent by email. */
export const MAILABLE_REPORTS = Object.keys(REPORTS) as MailableReport[];

/**
 * Sends a report as a message, with what its caller can read now. Returns the message's ID. @throws ServiceError as the report; RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED.
 */
export async function mailBusinessReport(
  deps: Dependencies,
  actor: Actor,
  { report, email, ...query }: ReportMail,
): Promise<{ messageId: string }> {
  const { name, read } = REPORTS[report];
  const { startDate, endDate, currency, lines, totals } = await read(deps, actor, query);
  const merchantId = query.merchantId ?? actor.merchantId ?? null;
  const merchant = merchantId === null ? 'all merchants' : (await deps.merchantFor(actor, merchantId)).name;
  return mailReport(deps, actor, {
    email,
    merchantId,
    action: 'report.sent',
    resource: `reporting/${report}`,
    subject: `${name} ${startDate} to ${endDate}`,
    introduction: `Report "${name}" of ${merchant} from ${startDate} to ${endDate}, in ${currency}.`,
    lines,
    count: lines.length,
    nothing: 'There is nothing to report in this period.',
    complete: 'The report in Paydesk contains all lines.',
    totals,
    facts: { startDate, endDate },
  });
}
