import type { RefundAnalysis, RevenueAnalysis, TransactionAnalysis } from '#renderer/client';
import { sentenceCase } from '#renderer/ui';
import { type Days, daysOfPoint, monthText, shortDay, weekdayText } from './days.ts';
import type { ReportId } from './use-view.ts';
import { counted, moneyText, rateText } from './words.ts';

export interface Column {
  readonly name: string;
  readonly kind: 'count' | 'money' | 'rate';
}

/** A row of the table and a point of the chart alike. */
export interface Row {
  readonly key: string;
  readonly name: string;
  /** Short label below its bar. */
  readonly shortName: string;
  /** Values in the order of the columns. */
  readonly cells: readonly number[];
  /** One for each kind of bar. */
  readonly bars: readonly number[];
  /** True if the period includes today, so that it is not over. */
  readonly isPartial: boolean;
  /** Filter of its transactions, as in the address of the list. */
  readonly filter: Readonly<Record<string, string>>;
}

/** A report for display: chart and table have the same rows, and the totals are theirs. */
export interface Report {
  readonly currency: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly totals: readonly number[];
  /** Measures of the bars, the lowest part first. */
  readonly bars: readonly string[];
  readonly barKind: Column['kind'];
  readonly others: readonly { readonly currency: string; readonly count: number }[];
  readonly isEmpty: boolean;
  /** The transactions of all rows. */
  readonly filter: Readonly<Record<string, string>>;
}

/** A figure of a column in words. */
function figureText(value: number, kind: Column['kind'], currency: string): string {
  if (kind === 'money') return moneyText(value, currency);
  return kind === 'rate' ? rateText(value) : value.toLocaleString('en-US');
}

interface Analysis<Sums> extends Days {
  readonly groupBy: string;
  readonly currency: string;
  readonly totals: Sums;
  readonly series: readonly (Sums & { readonly key: string; readonly label: string })[];
  readonly otherCurrencies: Report['others'];
}

/** Format of amounts. */
interface Look<Sums> {
  readonly columns: readonly (Column & { readonly of: (sums: Sums) => number })[];
  readonly bars: readonly { readonly name: string; readonly of: (sums: Sums) => number }[];
  readonly barKind: Column['kind'];
  /** Returns the filter for the transactions of some days. */
  readonly filterOf: (days: Days) => Readonly<Record<string, string>>;
}

const madeOn = ({ startDate, endDate }: Days) => ({ startDate, endDate });
const capturedOn = ({ startDate, endDate }: Days) => ({ capturedFrom: startDate, capturedTo: endDate });

const REVENUE: Look<RevenueAnalysis['totals']> = {
  columns: [
    { name: 'Sales', kind: 'money', of: ({ gross }) => gross },
    { name: 'Refunds', kind: 'money', of: ({ refunds }) => refunds },
    { name: 'Fees', kind: 'money', of: ({ fees }) => fees },
    { name: 'Net', kind: 'money', of: ({ net }) => net },
    { name: 'Credits', kind: 'money', of: ({ credits }) => credits },
    { name: 'Refunded outside', kind: 'money', of: ({ refundedOutside }) => refundedOutside },
  ],
  bars: [{ name: 'Net', of: ({ net }) => net }],
  barKind: 'money',
  filterOf: capturedOn,
};

const TRANSACTIONS: Look<TransactionAnalysis['totals']> = {
  columns: [
    { name: 'Payments', kind: 'count', of: ({ count }) => count },
    { name: 'Approved', kind: 'count', of: ({ approved }) => approved },
    { name: 'Declined', kind: 'count', of: ({ declined }) => declined },
    { name: 'Voided', kind: 'count', of: ({ voided }) => voided },
    { name: 'Failed', kind: 'count', of: ({ failed }) => failed },
    { name: 'Pending', kind: 'count', of: ({ pending }) => pending },
    { name: 'Approval rate', kind: 'rate', of: ({ approvalRate }) => approvalRate },
    { name: 'Amount', kind: 'money', of: ({ amount }) => amount },
    { name: 'Average', kind: 'money', of: ({ averageAmount }) => averageAmount },
  ],
  bars: [
    { name: 'Approved', of: ({ approved }) => approved },
    { name: 'Declined', of: ({ declined }) => declined },
    { name: 'Voided, failed or pending', of: ({ voided, failed, pending }) => voided + failed + pending },
  ],
  barKind: 'count',
  filterOf: madeOn,
};

const REFUNDS: Look<RefundAnalysis['totals']> = {
  columns: [
    { name: 'Refunds', kind: 'count', of: ({ count }) => count },
    { name: 'Amount', kind: 'money', of: ({ amount }) => amount },
    { name: 'In full', kind: 'count', of: ({ fullCount }) => fullCount },
    { name: 'In part', kind: 'count', of: ({ partialCount }) => partialCount },
    { name: 'Declined', kind: 'count', of: ({ declined }) => declined },
    { name: 'Of sales', kind: 'rate', of: ({ rate }) => rate },
    { name: 'Outside', kind: 'count', of: ({ outsideCount }) => outsideCount },
    { name: 'Amount outside', kind: 'money', of: ({ outsideAmount }) => outsideAmount },
  ],
  bars: [{ name: 'Refunded', of: ({ amount }) => amount }],
  barKind: 'money',
  filterOf: ({ startDate, endDate }) => ({ refundedFrom: startDate, refundedTo: endDate }),
};

const DECLINES: Look<TransactionAnalysis['totals']> = {
  columns: [
    { name: 'Declined', kind: 'count', of: ({ declined }) => declined },
    { name: 'Payments', kind: 'count', of: ({ count }) => count },
    { name: 'Approval rate', kind: 'rate', of: ({ approvalRate }) => approvalRate },
  ],
  bars: [{ name: 'Declined', of: ({ declined }) => declined }],
  barKind: 'count',
  filterOf: (days) => ({ ...madeOn(days), status: 'declined' }),
};

function nameOf(groupBy: string, key: string, label: string): readonly [name: string, shortName: string] {
  if (groupBy === 'day') return [weekdayText(key), shortDay(key)];
  if (groupBy === 'week') return [`Week of ${shortDay(key)}`, shortDay(key)];
  if (groupBy === 'month') return [monthText(key), monthText(key)];
  return [label, label];
}

function built<Sums extends object>(found: Analysis<Sums>, look: Look<Sums>, today: string): Report {
  const { groupBy, currency, totals, series, otherCurrencies, startDate, endDate } = found;
  const isOfTime = groupBy === 'day' || groupBy === 'week' || groupBy === 'month';
  const rows = series.map((sums): Row => {
    const [name, shortName] = nameOf(groupBy, sums.key, sums.label);
    const days = daysOfPoint(groupBy, sums.key, { startDate, endDate });
    return {
      key: sums.key,
      name,
      shortName,
      cells: look.columns.map(({ of }) => of(sums)),
      bars: look.bars.map(({ of }) => of(sums)),
      isPartial:
        isOfTime &&
        days.startDate <= today &&
        today <= daysOfPoint(groupBy, sums.key, { startDate: '0000-01-01', endDate: '9999-12-31' }).endDate,
      filter: { ...look.filterOf(days), ...(groupBy === 'brand' && { brand: sums.key }) },
    };
  });
  return {
    currency,
    columns: look.columns,
    rows,
    totals: look.columns.map(({ of }) => of(totals)),
    bars: look.bars.map(({ name }) => name),
    barKind: look.barKind,
    others: otherCurrencies,
    isEmpty: look.columns.every(({ of }) => of(totals) === 0),
    filter: look.filterOf({ startDate, endDate }),
  };
}

/** Declines by their code: of each how many, and how large a part. */
function byCode({ totals, currency, otherCurrencies, startDate, endDate }: TransactionAnalysis): Report {
  const filter = DECLINES.filterOf({ startDate, endDate });
  return {
    currency,
    columns: [
      { name: 'Declined', kind: 'count' },
      { name: 'Of all declines', kind: 'rate' },
    ],
    rows: totals.declines.map(({ code, count }) => ({
      key: code,
      name: declineText(code),
      shortName: declineText(code),
      cells: [count, totals.declined === 0 ? 0 : count / totals.declined],
      bars: [count],
      isPartial: false,
      filter: { ...filter, declineCode: code },
    })),
    totals: [totals.declined, totals.declined === 0 ? 0 : 1],
    bars: ['Declined'],
    barKind: 'count',
    others: otherCurrencies,
    isEmpty: totals.declined === 0,
    filter,
  };
}

/** "Insufficient funds"; codes of banks stay as they are: "R01". */
export const declineText = (code: string) =>
  /^R\d\d$/.test(code) ? code : sentenceCase(code).replace(/^(?:avs|cvv)\b/i, (short) => short.toUpperCase());

export const revenueReport = (found: RevenueAnalysis, today: string) => built(found, REVENUE, today);
export const transactionsReport = (found: TransactionAnalysis, today: string) => built(found, TRANSACTIONS, today);
export const refundsReport = (found: RefundAnalysis, today: string) => built(found, REFUNDS, today);
export const declinesReport = (found: TransactionAnalysis, today: string, isByCode: boolean) =>
  isByCode ? byCode(found) : built(found, DECLINES, today);

const NAMES: Readonly<Record<ReportId, string>> = {
  revenue: 'Net revenue',
  transactions: 'Payments',
  refunds: 'Refunds',
  declines: 'Declines',
};

/** "Net revenue by day". */
export const chartTitle = (id: ReportId, group: string) => `${NAMES[id]} by ${group}`;

/** A point said aloud: "Sat, Nov 21, so far: Net 120.00 USD". */
export function pointText({ name, isPartial, bars }: Row, { bars: kinds, barKind, currency }: Report): string {
  const figures = kinds.map((kind, at) => `${kind} ${figureText(bars[at] ?? 0, barKind, currency)}`);
  return `${name}${isPartial ? ', so far' : ''}: ${figures.join(', ')}`;
}

/** "3 payments in EUR". */
export function othersText(others: Report['others']): string {
  return others.map(({ currency, count }) => `${counted(count, 'payment')} in ${currency}`).join(', ');
}
