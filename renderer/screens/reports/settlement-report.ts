import type { SettlementReport } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText } from '#renderer/kit/ui';
import { shortDay } from '#renderer/shared/reporting';
import type { Column, Report, Row } from './report.ts';

type Totals = SettlementReport['totals'];
type Sums = Omit<Totals, 'count'>;

const COLUMNS: readonly (Column & { readonly read: (sums: Sums) => number; readonly isRare?: boolean })[] = [
  { name: t('Payments'), kind: 'count', read: ({ transactionCount }) => transactionCount },
  { name: t('Captures'), kind: 'money', isHead: true, read: ({ captures }) => captures },
  { name: t('Refunds'), kind: 'money', isHead: true, read: ({ refunds }) => refunds },
  { name: t('Disputes'), kind: 'money', read: ({ disputes }) => disputes, isRare: true },
  { name: t('Fees'), kind: 'money', isHead: true, read: ({ fees }) => fees },
  { name: t('Net'), kind: 'money', isHead: true, read: ({ netAmount }) => netAmount },
  { name: t('Paid'), kind: 'money', isHead: true, read: ({ paidAmount }) => paidAmount },
];

/** Settlements as rows of a report, newest first. `count` is the number of settlements in the period, of which the rows may be only the newest. */
export function settlementsReport({ data, totals, currency, otherCurrencies }: SettlementReport): Report & { readonly count: number } {
  // Disputes may add up to zero, so the rows decide.
  const columns = COLUMNS.filter(({ read, isRare }) => !isRare || data.some((settlement) => read(settlement) !== 0));
  const cellsOf = (sums: Sums) => columns.map(({ read }) => read(sums));
  const rows = data
    .filter((settlement) => settlement.currency === currency)
    .map(
      (settlement): Row => ({
        key: settlement.settlementId,
        name: dayText(settlement.settlementDate),
        shortName: shortDay(settlement.settlementDate),
        cells: cellsOf(settlement),
        bars: [settlement.netAmount],
        isPartial: false,
        filter: {},
      }),
    );
  return {
    count: totals.count,
    currency,
    columns,
    rows,
    totals: cellsOf(totals),
    bars: [t('Net')],
    barKind: 'money',
    others: otherCurrencies,
    isEmpty: data.length === 0,
    filter: {},
  };
}
