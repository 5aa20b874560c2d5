import type { GridColDef } from '@mui/x-data-grid';
import type { Settlement, UnsettledLine } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { figureColumn, moneyColumn, statusColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { dayText, MoneyText, StatusChip } from '#renderer/kit/ui';
import { customerOf, paidWith } from '#renderer/shared/receipt';
import type { Outgoing } from './queries.ts';
import { LINE_CHIPS, shownState } from './texts.ts';

/** Column that gets the focus when the focus enters a list. */
export const FIRST_FIELD = 'first';

/** Columns that a narrow window leaves out, in this order: first those that are not part of the sum of a row, then its parts from the left. */
export const SETTLEMENT_LEAVE_OUT = ['paid', 'status', 'captures', 'refunds', 'disputes', 'fees'];

/** Columns of settlements: captures, deductions, net and paid amounts. */
export function settlementColumns(currency: string, settlements: readonly Settlement[] | undefined): GridColDef<Settlement>[] {
  // Few settlements have disputes. Without the column, the net amount fits on a small screen.
  const hasDisputes = settlements?.some(({ disputeCount }) => disputeCount > 0) ?? false;
  const money = (field: string, name: string, amountOf: (row: Settlement) => number, fontWeight = 400) =>
    moneyColumn(field, name, { flex: 0.9, minWidth: name.includes(',') ? 128 : 92 }, currency, amountOf, { fontWeight });
  return [
    { field: FIRST_FIELD, headerName: t('Date'), flex: 0.9, minWidth: 112, valueGetter: (_, row) => dayText(row.settlementDate) },
    statusColumn({ width: 132 }, (row) => shownState(row), 'settlement'),
    money('captures', t('Captures, {{currency}}', { currency }), (row) => row.captures),
    money('refunds', t('Refunds'), (row) => row.refunds),
    ...(hasDisputes ? [money('disputes', t('Disputes'), (row) => row.disputes)] : []),
    money('fees', t('Fees'), (row) => row.fees),
    money('net', t('Net'), (row) => row.netAmount, 600),
    money('paid', t('In payouts'), (row) => row.paidAmount),
  ];
}

/** Columns of payouts and batches. */
export function outgoingColumns(currency: string, timeZone: string): GridColDef<Outgoing>[] {
  return [
    timeColumn(FIRST_FIELD, t('Date'), { flex: 1, minWidth: 140 }, timeZone, (row) => row.paidAt ?? row.createdAt),
    moneyColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.9, minWidth: 128 }, currency, (row) => row.amount),
    statusColumn({ width: 124 }, (row) => row.status, 'payout'),
    { field: 'reference', headerName: t('Reference'), flex: 1, minWidth: 128, cellClassName: 'mono' },
    textColumn('settlements', t('Settlements'), { flex: 1, minWidth: 128 }, (row) => {
      const settlements = t('{{count, number}} settlements', { count: row.settlementCount });
      return row.kind === 'batch' ? `${settlements}, ${t('batch')}` : settlements;
    }),
  ];
}

/** Columns of unsettled captures, refunds and dispute movements. */
export function unsettledColumns(currency: string, timeZone: string): GridColDef<UnsettledLine>[] {
  return [
    timeColumn(FIRST_FIELD, t('Time'), { flex: 1, minWidth: 140 }, timeZone, (row) => row.at),
    {
      field: 'kind',
      headerName: t('Type'),
      width: 176,
      renderCell: ({ row }) => <StatusChip {...LINE_CHIPS[row.kind]} />,
    },
    { field: 'customer', headerName: t('Customer'), flex: 1, minWidth: 120, valueGetter: (_, row) => customerOf(row.payment) },
    { field: 'card', headerName: t('Paid with'), width: 140, valueGetter: (_, row) => (row.payment ? paidWith(row.payment) : '') },
    { field: 'order', headerName: t('Order'), width: 100, valueGetter: (_, row) => row.payment?.orderNumber ?? row.payment?.orderId ?? '' },
    figureColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.8, minWidth: 112 }, (row) => (
      <MoneyText amount={row.amount} currency={currency} sx={{ fontWeight: 600 }} />
    )),
  ];
}

/** Formats a period: "Nov 1, 2026 to Nov 21, 2026", or one day. */
export function periodText(startDate: string, endDate: string): string {
  return startDate === endDate
    ? dayText(startDate)
    : t('{{startDate}} to {{endDate}}', { startDate: dayText(startDate), endDate: dayText(endDate) });
}
