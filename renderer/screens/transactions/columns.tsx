import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, Transaction } from '#renderer/client';
import { paidWith } from '#renderer/receipt';
import { dayText, MoneyText, StatusChip, TimeText } from '#renderer/ui';
import { stateOf, typeOf } from './status.ts';

/** Columns of the list. The header names the merchant's currency; other currencies are shown next to their amounts. */
export function columnsFor({ currency, timezone }: Merchant): GridColDef<Transaction>[] {
  return [
    {
      field: 'createdAt',
      headerName: 'Time',
      flex: 0.9,
      minWidth: 138,
      renderCell: ({ row }) => <TimeText at={row.createdAt} timeZone={timezone} />,
    },
    { field: 'status', headerName: 'Status', flex: 0.7, minWidth: 108, renderCell: ({ row }) => <StatusChip state={stateOf(row)} /> },
    { field: 'type', headerName: 'Type', flex: 0.7, minWidth: 104, valueGetter: (_, row) => typeOf(row) },
    {
      field: 'amount',
      headerName: `Amount, ${currency}`,
      flex: 0.7,
      minWidth: 112,
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
      flex: 1.5,
      minWidth: 120,
      valueGetter: (_, { customer }) => customer?.name ?? customer?.email ?? '',
    },
    { field: 'card', headerName: 'Paid with', flex: 1, minWidth: 132, valueGetter: (_, row) => paidWith(row) },
    { field: 'orderId', headerName: 'Order', flex: 0.8, minWidth: 100, valueGetter: (_, { orderId }) => orderId ?? '' },
    {
      field: 'refundedAmount',
      headerName: 'Refunded',
      flex: 0.6,
      minWidth: 96,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (row.refundedAmount === 0 ? '' : <MoneyText amount={-row.refundedAmount} currency={row.currency} />),
    },
    {
      field: 'settlementDate',
      headerName: 'Settled',
      flex: 0.7,
      minWidth: 108,
      valueGetter: (_, { settlementDate }) => (settlementDate ? dayText(settlementDate) : ''),
    },
  ];
}
