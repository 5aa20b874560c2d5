import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, Transaction } from '#renderer/client';
import { dayText, MoneyText, StatusChip, TimeText } from '#renderer/ui';
import { sourceOf, stateOf, typeOf } from './standing.ts';

/** The columns of the list. The merchant's currency is said once, in the head; another one stands beside its figure. */
export function columnsFor({ currency, timezone }: Merchant): GridColDef<Transaction>[] {
  return [
    {
      field: 'createdAt',
      headerName: 'Time',
      width: 150,
      renderCell: ({ row }) => <TimeText at={row.createdAt} timeZone={timezone} />,
    },
    { field: 'status', headerName: 'Status', width: 120, renderCell: ({ row }) => <StatusChip state={stateOf(row)} /> },
    { field: 'type', headerName: 'Type', width: 118, valueGetter: (_, row) => typeOf(row) },
    {
      field: 'amount',
      headerName: `Amount, ${currency}`,
      width: 128,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText
          amount={row.type === 'credit' ? -row.amount : row.amount}
          currency={row.currency}
          code={row.currency !== currency}
          sx={{ fontWeight: 600 }}
        />
      ),
    },
    {
      field: 'customer',
      headerName: 'Customer',
      flex: 1,
      minWidth: 150,
      valueGetter: (_, { customer }) => customer?.name ?? customer?.email ?? '',
    },
    { field: 'card', headerName: 'Paid with', width: 150, valueGetter: (_, row) => sourceOf(row) },
    { field: 'orderId', headerName: 'Order', width: 120, valueGetter: (_, { orderId }) => orderId ?? '' },
    {
      field: 'refundedAmount',
      headerName: 'Refunded',
      width: 104,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (row.refundedAmount === 0 ? '' : <MoneyText amount={-row.refundedAmount} currency={row.currency} />),
    },
    {
      field: 'settlementDate',
      headerName: 'Settled',
      width: 116,
      valueGetter: (_, { settlementDate }) => (settlementDate ? dayText(settlementDate) : ''),
    },
  ];
}
