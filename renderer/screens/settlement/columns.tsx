import type { GridColDef } from '@mui/x-data-grid';
import type { Settlement, UnsettledLine } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, MoneyText, StatusChip, TimeText } from '#renderer/kit/ui';
import { customerOf, paidWith } from '#renderer/shared/receipt';
import type { Outgoing } from './queries.ts';
import { LINE_CHIPS, shownState } from './texts.ts';

/** Column that gets the focus when the focus enters a list. */
export const FIRST_FIELD = 'first';

interface HasCurrency {
  readonly currency: string;
}

/** A column of amounts. The merchant's currency is shown only in the header, other currencies in their rows. */
function amountColumn<Row extends HasCurrency>(
  field: string,
  headerName: string,
  merchantCurrency: string,
  read: (row: Row) => number,
  isStrong = false,
): GridColDef<Row> {
  return {
    field,
    headerName,
    flex: 0.9,
    minWidth: headerName.includes(',') ? 128 : 92,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => (
      <MoneyText
        amount={read(row)}
        currency={row.currency}
        code={row.currency !== merchantCurrency}
        sx={{ fontWeight: isStrong ? 600 : 400 }}
      />
    ),
  };
}

/** Columns that a narrow window leaves out, in this order: first those that are not part of the sum of a row, then its parts from the left. */
export const SETTLEMENT_LEAVE_OUT = ['paid', 'status', 'captures', 'refunds', 'disputes', 'fees'];

/** Columns of settlements: captures, deductions, net and paid amounts. */
export function settlementColumns(currency: string, settlements: readonly Settlement[] | undefined): GridColDef<Settlement>[] {
  // Few settlements have disputes. Without the column, the net amount fits on a small screen.
  const hasDisputes = settlements?.some(({ disputeCount }) => disputeCount > 0) ?? false;
  return [
    { field: FIRST_FIELD, headerName: t('Date'), flex: 0.9, minWidth: 112, valueGetter: (_, row) => dayText(row.settlementDate) },
    {
      field: 'status',
      headerName: t('Status'),
      width: 132,
      renderCell: ({ row }) => <StatusChip state={shownState(row)} of="settlement" />,
    },
    amountColumn('captures', t('Captures, {{currency}}', { currency }), currency, (row) => row.captures),
    amountColumn('refunds', t('Refunds'), currency, (row) => row.refunds),
    ...(hasDisputes ? [amountColumn<Settlement>('disputes', t('Disputes'), currency, (row) => row.disputes)] : []),
    amountColumn('fees', t('Fees'), currency, (row) => row.fees),
    amountColumn('net', t('Net'), currency, (row) => row.netAmount, true),
    amountColumn('paid', t('In payouts'), currency, (row) => row.paidAmount),
  ];
}

/** Columns of payouts and batches. */
export function outgoingColumns(currency: string, timeZone: string): GridColDef<Outgoing>[] {
  return [
    {
      field: FIRST_FIELD,
      headerName: t('Date'),
      flex: 1,
      minWidth: 140,
      renderCell: ({ row }) => <TimeText at={row.paidAt ?? row.createdAt} timeZone={timeZone} />,
    },
    amountColumn('amount', t('Amount, {{currency}}', { currency }), currency, (row) => row.amount, true),
    { field: 'status', headerName: t('Status'), width: 124, renderCell: ({ row }) => <StatusChip state={row.status} of="payout" /> },
    { field: 'reference', headerName: t('Reference'), flex: 1, minWidth: 128, cellClassName: 'mono' },
    {
      field: 'settlements',
      headerName: t('Settlements'),
      flex: 1,
      minWidth: 128,
      valueGetter: (_, row) => {
        const settlements = t('{{count, number}} settlements', { count: row.settlementCount });
        return row.kind === 'batch' ? `${settlements}, ${t('batch')}` : settlements;
      },
    },
  ];
}

/** Columns of unsettled captures, refunds and dispute movements. */
export function unsettledColumns(currency: string, timeZone: string): GridColDef<UnsettledLine>[] {
  return [
    {
      field: FIRST_FIELD,
      headerName: t('Time'),
      flex: 1,
      minWidth: 140,
      renderCell: ({ row }) => <TimeText at={row.at} timeZone={timeZone} />,
    },
    {
      field: 'kind',
      headerName: t('Type'),
      width: 176,
      renderCell: ({ row }) => <StatusChip {...LINE_CHIPS[row.kind]} />,
    },
    { field: 'customer', headerName: t('Customer'), flex: 1, minWidth: 120, valueGetter: (_, row) => customerOf(row.payment) },
    { field: 'card', headerName: t('Paid with'), width: 140, valueGetter: (_, row) => (row.payment ? paidWith(row.payment) : '') },
    { field: 'order', headerName: t('Order'), width: 100, valueGetter: (_, row) => row.payment?.orderNumber ?? row.payment?.orderId ?? '' },
    {
      field: 'amount',
      headerName: t('Amount, {{currency}}', { currency }),
      flex: 0.8,
      minWidth: 112,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => <MoneyText amount={row.amount} currency={currency} sx={{ fontWeight: 600 }} />,
    },
  ];
}

/** Formats a period: "Nov 1, 2026 to Nov 21, 2026", or one day. */
export function periodText(startDate: string, endDate: string): string {
  return startDate === endDate
    ? dayText(startDate)
    : t('{{startDate}} to {{endDate}}', { startDate: dayText(startDate), endDate: dayText(endDate) });
}
