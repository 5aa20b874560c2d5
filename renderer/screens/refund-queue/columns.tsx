import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, QueueEntry } from '#renderer/client';
import { formatDuration, MoneyText, StatusChip } from '#renderer/ui';
import { attemptsText, nextRetryText, reasonOf } from './texts.ts';

/** Columns of the queue; ages and countdowns use the time of the tenant. */
export function columnsFor({ currency }: Merchant, nowMs: number): GridColDef<QueueEntry>[] {
  return [
    {
      field: 'createdAt',
      headerName: 'Age',
      flex: 0.5,
      minWidth: 84,
      valueGetter: (_, row) => formatDuration(nowMs - Date.parse(row.createdAt)),
    },
    { field: 'status', headerName: 'Status', flex: 0.6, minWidth: 108, renderCell: ({ row }) => <StatusChip state={row.status} /> },
    {
      field: 'customer',
      headerName: 'Customer',
      flex: 1.2,
      minWidth: 120,
      valueGetter: (_, { customer, card, bankAccount }) =>
        customer?.name ?? customer?.email ?? `Ending in ${card?.last4 ?? bankAccount?.last4 ?? ''}`,
    },
    {
      field: 'amount',
      headerName: `Amount, ${currency}`,
      flex: 0.7,
      minWidth: 112,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    {
      field: 'declineReason',
      headerName: 'Decline reason',
      flex: 1.6,
      minWidth: 180,
      valueGetter: (_, row) => `${reasonOf(row)} (${row.declineCode})`,
    },
    { field: 'attemptCount', headerName: 'Attempts', flex: 0.6, minWidth: 90, valueGetter: (_, row) => attemptsText(row) },
    { field: 'scheduledRetryAt', headerName: 'Next retry', flex: 0.7, minWidth: 100, valueGetter: (_, row) => nextRetryText(row, nowMs) },
  ];
}
