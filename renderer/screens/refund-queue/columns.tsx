import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, QueueEntry } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { formatDuration, MoneyText, StatusChip } from '#renderer/kit/ui';
import { attemptsText, nextRetryText } from './texts.ts';

/** Columns of the queue; ages and countdowns use the time of the tenant. */
export function columnsFor({ currency }: Merchant, nowMs: number): GridColDef<QueueEntry>[] {
  return [
    {
      field: 'createdAt',
      headerName: t('Age'),
      flex: 0.5,
      minWidth: 80,
      valueGetter: (_, row) => formatDuration(nowMs - Date.parse(row.createdAt)),
    },
    { field: 'status', headerName: t('Status'), flex: 0.6, minWidth: 112, renderCell: ({ row }) => <StatusChip state={row.status} /> },
    {
      field: 'customer',
      headerName: t('Customer'),
      flex: 1.2,
      minWidth: 112,
      valueGetter: (_, { customer, card, bankAccount }) =>
        customer?.name ?? customer?.email ?? t('Ending in {{last4}}', { last4: card?.last4 ?? bankAccount?.last4 ?? '' }),
    },
    {
      field: 'amount',
      headerName: t('Amount, {{currency}}', { currency }),
      flex: 0.7,
      minWidth: 104,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    {
      field: 'declineReason',
      headerName: t('Decline reason'),
      flex: 1.6,
      minWidth: 164,
      valueGetter: (_, row) => `${serviceText(row.declineReason)} (${row.declineCode})`,
    },
    { field: 'attemptCount', headerName: t('Attempts'), flex: 0.6, minWidth: 84, valueGetter: (_, row) => attemptsText(row) },
    {
      field: 'scheduledRetryAt',
      headerName: t('Next retry'),
      flex: 0.7,
      minWidth: 112,
      valueGetter: (_, row) => nextRetryText(row, nowMs),
    },
  ];
}
