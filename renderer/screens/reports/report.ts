import type { RefundAnalysis, RevenueAnalysis, TransactionAnalysis } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { changeText, type Days, daysOfPoint, moneyText, monthText, rateText, shortDay, weekdayText } from '#renderer/shared/reporting';
import { declineText } from './decline-text.ts';
import type { Figure } from './figure-list.tsx';
import type { GroupId, ReportId } from './use-view.ts';

export interface Column {
  readonly name: string;
  readonly kind: 'count' | 'money' | 'rate';
  /** True for a figure that is also shown above the chart. */
  readonly isHead?: boolean;
}

/** A row of the table, which is also a point of the chart. */
export interface Row {
  readonly key: string;
  readonly name: string;
  /** Short label below its bar. */
  readonly shortName: string;
  /** Values in the order of the columns. */
  readonly cells: readonly number[];
  /** One value for each part of the bar. */
  readonly bars: readonly number[];
  /** True if the period includes today, so that it is not over. */
  readonly isPartial: boolean;
  /** Filter of its transactions, as in the address of the list. */
  readonly filter: Readonly<Record<string, string>>;
  /** The same point of the compared period; absent without a comparison. */
  readonly compared?: { readonly name: string; readonly value: number };
}

/** A report for display. Chart, table and totals use the same rows. */
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
  /** Period of the comparison with the total of its bars; absent without one. */
  readonly compared?: { readonly days: Days; readonly total: number; readonly totals: ReadonlyMap<string, number> };
  /** The transactions of all rows. */
  readonly filter: Readonly<Record<string, string>>;
}

/** Formats a value of a column. */
function figureText(value: number, kind: Column['kind'], currency: string): string {
  if (kind === 'money') return moneyText(value, currency);
  return kind === 'rate' ? rateText(value) : numberText(value);
}

interface Analysis<Sums> extends Days {
  readonly groupBy: string;
  readonly currency: string;
  readonly totals: Sums;
  readonly series: readonly (Sums & { readonly key: string; readonly label: string })[];
  readonly otherCurrencies: Report['others'];
}

/** Columns and bars of a report. */
interface Layout<Sums> {
  readonly columns: readonly (Column & { readonly read: (sums: Sums) => number; readonly isRare?: boolean })[];
  readonly bars: readonly { readonly name: string; readonly read: (sums: Sums) => number }[];
  readonly barKind: Column['kind'];
  /** Returns the filter for the transactions of some days. */
  readonly filterOf: (days: Days) => Readonly<Record<string, string>>;
}

const createdOn = ({ startDate, endDate }: Days) => ({ startDate, endDate });
const capturedOn = ({ startDate, endDate }: Days) => ({ capturedFrom: startDate, capturedTo: endDate });

const REVENUE: Layout<RevenueAnalysis['totals']> = {
  columns: [
    { name: t('Sales'), kind: 'money', isHead: true, read: ({ gross }) => gross },
    { name: t('Refunds'), kind: 'money', isHead: true, read: ({ refunds }) => refunds },
    { name: t('Fees'), kind: 'money', isHead: true, read: ({ fees }) => fees },
    { name: t('Net'), kind: 'money', isHead: true, read: ({ net }) => net },
    { name: t('Number of sales'), kind: 'count', isHead: true, read: ({ salesCount }) => salesCount },
    { name: t('Average sale'), kind: 'money', isHead: true, read: ({ averageSale }) => averageSale },
    { name: t('Tips'), kind: 'money', read: ({ tips }) => tips, isRare: true },
    { name: t('Surcharges'), kind: 'money', read: ({ surcharges }) => surcharges, isRare: true },
    { name: t('Sales tax'), kind: 'money', read: ({ taxes }) => taxes, isRare: true },
    { name: t('Unlinked credits'), kind: 'money', read: ({ credits }) => credits, isRare: true },
    { name: t('Refunded outside Paydesk'), kind: 'money', read: ({ refundedOutside }) => refundedOutside, isRare: true },
  ],
  bars: [{ name: t('Net'), read: ({ net }) => net }],
  barKind: 'money',
  filterOf: capturedOn,
};

const TRANSACTIONS: Layout<TransactionAnalysis['totals']> = {
  columns: [
    { name: t('Payments'), kind: 'count', isHead: true, read: ({ count }) => count },
    { name: t('Approved', { context: 'payments' }), kind: 'count', read: ({ approved }) => approved },
    { name: t('Declined', { context: 'payments' }), kind: 'count', read: ({ declined }) => declined },
    { name: t('Voided', { context: 'payments' }), kind: 'count', read: ({ voided }) => voided },
    { name: t('Failed', { context: 'payments' }), kind: 'count', read: ({ failed }) => failed },
    { name: t('Pending', { context: 'payments' }), kind: 'count', read: ({ pending }) => pending },
    { name: t('Approval rate'), kind: 'rate', isHead: true, read: ({ approvalRate }) => approvalRate },
    { name: t('Amount'), kind: 'money', isHead: true, read: ({ amount }) => amount },
    { name: t('Average payment'), kind: 'money', isHead: true, read: ({ averageAmount }) => averageAmount },
  ],
  bars: [
    { name: t('Approved', { context: 'payments' }), read: ({ approved }) => approved },
    { name: t('Declined', { context: 'payments' }), read: ({ declined }) => declined },
    { name: t('Voided, failed or pending'), read: ({ voided, failed, pending }) => voided + failed + pending },
  ],
  barKind: 'count',
  filterOf: createdOn,
};

const REFUNDS: Layout<RefundAnalysis['totals']> = {
  columns: [
    { name: t('Refunds'), kind: 'count', isHead: true, read: ({ count }) => count },
    { name: t('Amount'), kind: 'money', isHead: true, read: ({ amount }) => amount },
    { name: t('Full'), kind: 'count', read: ({ fullCount }) => fullCount },
    { name: t('Partial'), kind: 'count', read: ({ partialCount }) => partialCount },
    { name: t('Declined', { context: 'payments' }), kind: 'count', read: ({ declined }) => declined },
    { name: t('Share of sales'), kind: 'rate', isHead: true, read: ({ rate }) => rate },
    { name: t('Outside Paydesk'), kind: 'count', read: ({ outsideCount }) => outsideCount, isRare: true },
    { name: t('Amount outside Paydesk'), kind: 'money', read: ({ outsideAmount }) => outsideAmount, isRare: true },
  ],
  bars: [{ name: t('Refunded'), read: ({ amount }) => amount }],
  barKind: 'money',
  filterOf: ({ startDate, endDate }) => ({ refundedFrom: startDate, refundedTo: endDate }),
};

const DECLINES: Layout<TransactionAnalysis['totals']> = {
  columns: [
    { name: t('Declined', { context: 'payments' }), kind: 'count', isHead: true, read: ({ declined }) => declined },
    { name: t('Payments'), kind: 'count', isHead: true, read: ({ count }) => count },
    { name: t('Approval rate'), kind: 'rate', isHead: true, read: ({ approvalRate }) => approvalRate },
  ],
  bars: [{ name: t('Declined', { context: 'payments' }), read: ({ declined }) => declined }],
  barKind: 'count',
  filterOf: (days) => ({ ...createdOn(days), status: 'declined' }),
};

function nameOf(groupBy: string, key: string, label: string): readonly [name: string, shortName: string] {
  if (groupBy === 'day') return [weekdayText(key), shortDay(key)];
  if (groupBy === 'week') return [t('Week of {{day}}', { day: shortDay(key) }), shortDay(key)];
  if (groupBy === 'month') return [monthText(key), monthText(key)];
  return [label, label];
}

function buildReport<Sums extends object>(found: Analysis<Sums>, layout: Layout<Sums>, today: string): Report {
  const { groupBy, currency, totals, series, otherCurrencies, startDate, endDate } = found;
  const isOverTime = groupBy === 'day' || groupBy === 'week' || groupBy === 'month';
  // Rare columns are shown only if they hold a figure.
  const columns = layout.columns.filter(({ read, isRare }) => !isRare || read(totals) !== 0);
  const rows = series.map((sums): Row => {
    const [name, shortName] = nameOf(groupBy, sums.key, sums.label);
    const days = daysOfPoint(groupBy, sums.key, { startDate, endDate });
    return {
      key: sums.key,
      name,
      shortName,
      cells: columns.map(({ read }) => read(sums)),
      bars: layout.bars.map(({ read }) => read(sums)),
      isPartial:
        isOverTime &&
        days.startDate <= today &&
        today <= daysOfPoint(groupBy, sums.key, { startDate: '0000-01-01', endDate: '9999-12-31' }).endDate,
      filter: { ...layout.filterOf(days), ...(groupBy === 'brand' && { brand: sums.key }) },
    };
  });
  return {
    currency,
    columns,
    // Over time the rows have their order, otherwise the largest comes first.
    rows: isOverTime ? rows : rows.toSorted((one, other) => sumOf(other.bars) - sumOf(one.bars)),
    totals: columns.map(({ read }) => read(totals)),
    bars: layout.bars.map(({ name }) => name),
    barKind: layout.barKind,
    others: otherCurrencies,
    isEmpty: layout.columns.every(({ read }) => read(totals) === 0),
    filter: layout.filterOf({ startDate, endDate }),
  };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Returns the total of the bars of a report: sums of money and counts can be added. */
const totalOf = (report: Report) => sumOf(report.rows.map(({ bars }) => sumOf(bars)));

/**
 * Returns a report with each row beside the same row of another period: over time by its position, otherwise by its key. A row without one is
 * compared with zero.
 */
export function withComparison(report: Report, other: Report, days: Days, isOverTime: boolean): Report {
  const byKey = new Map(other.rows.map((row) => [row.key, row]));
  const rows = report.rows.map((row, at): Row => {
    const same = isOverTime ? other.rows[at] : byKey.get(row.key);
    return { ...row, compared: { name: isOverTime ? (same?.name ?? '') : '', value: sumOf(same?.bars ?? []) } };
  });
  const totals = new Map(other.columns.map(({ name }, at) => [name, other.totals[at] ?? 0]));
  return { ...report, rows, compared: { days, total: totalOf(other), totals } };
}

/** Returns the change of a row against its comparison. A period that is not over has none, because a part would be compared with a whole. */
export function rowChange({ isPartial, bars, compared }: Row, currency: string | undefined): string {
  return compared === undefined || isPartial ? '' : changeText(sumOf(bars), compared.value, currency);
}

/** Returns true if the period is over, so that its totals can be compared. */
const isOver = (report: Report) => report.rows.every(({ isPartial }) => !isPartial);

/** Returns the change of all rows; none if one of them is not over. */
export function totalChange(report: Report, currency: string | undefined): string {
  if (report.compared === undefined || !isOver(report)) return '';
  return changeText(totalOf(report), report.compared.total, currency);
}

/** Returns the figures above the chart, each with its value in the compared period and the change. */
export function headFigures(report: Report): readonly Figure[] {
  const { columns, totals, compared, currency } = report;
  return columns.flatMap(({ name, kind, isHead = false }, at): Figure[] => {
    if (!isHead) return [];
    const value = totals[at] ?? 0;
    const before = compared && (compared.totals.get(name) ?? 0);
    const hasChange = before !== undefined && kind !== 'rate' && isOver(report);
    const change = hasChange ? changeText(value, before, kind === 'money' ? currency : undefined) : '';
    return [
      {
        name,
        value: figureText(value, kind, currency),
        comparison: before === undefined ? '' : [figureText(before, kind, currency), change].filter(Boolean).join(', '),
      },
    ];
  });
}

/** Declines by code, with count and share of each. */
function declinesByCode({ totals, currency, otherCurrencies, startDate, endDate }: TransactionAnalysis): Report {
  const filter = DECLINES.filterOf({ startDate, endDate });
  return {
    currency,
    columns: [
      { name: t('Declined', { context: 'payments' }), kind: 'count', isHead: true },
      { name: t('Share of declines'), kind: 'rate' },
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
    bars: [t('Declined', { context: 'payments' })],
    barKind: 'count',
    others: otherCurrencies,
    isEmpty: totals.declined === 0,
    filter,
  };
}

export const revenueReport = (found: RevenueAnalysis, today: string) => buildReport(found, REVENUE, today);
export const transactionsReport = (found: TransactionAnalysis, today: string) => buildReport(found, TRANSACTIONS, today);
export const refundsReport = (found: RefundAnalysis, today: string) => buildReport(found, REFUNDS, today);
export const declinesReport = (found: TransactionAnalysis, today: string, isByCode: boolean) =>
  isByCode ? declinesByCode(found) : buildReport(found, DECLINES, today);

const NAMES: Readonly<Record<ReportId, string>> = {
  revenue: t('Net revenue'),
  transactions: t('Payments'),
  refunds: t('Refunds'),
  declines: t('Declines'),
};

const TITLES: Readonly<Record<GroupId, (report: string) => string>> = {
  code: (report) => t('{{report}} by code', { report }),
  day: (report) => t('{{report}} by day', { report }),
  week: (report) => t('{{report}} by week', { report }),
  month: (report) => t('{{report}} by month', { report }),
  brand: (report) => t('{{report}} by brand', { report }),
  merchant: (report) => t('{{report}} by merchant', { report }),
};

/** "Net revenue by day". */
export const chartTitle = (id: ReportId, group: GroupId) => TITLES[group](NAMES[id]);

/** Returns the announced text of a point: "Sat, Nov 21, so far: Net 120.00 USD". */
export function pointText({ name, isPartial, bars, compared }: Row, { bars: kinds, barKind, currency }: Report): string {
  const figures = kinds.map((kind, at) => `${kind} ${figureText(bars[at] ?? 0, barKind, currency)}`);
  if (compared) {
    const figure = [compared.name, figureText(compared.value, barKind, currency)].filter(Boolean).join(': ');
    figures.push(t('compared with {{figure}}', { figure }));
  }
  return `${isPartial ? `${name}, ${t('so far')}` : name}: ${figures.join(', ')}`;
}

/** "3 payments in EUR". */
export function othersText(others: Report['others']): string {
  return others.map(({ currency, count }) => t('{{count, number}} payments in {{currency}}', { count, currency })).join(', ');
}
