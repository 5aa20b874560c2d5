import type { GridColDef } from '@mui/x-data-grid';
import type { DisputeListItem, Merchant } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, MoneyText, StatusChip } from '#renderer/kit/ui';
import { dueText, reasonText } from '#renderer/shared/disputes';
import { customerOf, paidWith } from '#renderer/shared/receipt';

export function columnsFor({ currency }: Merchant, nowMs: number): GridColDef<DisputeListItem>[] {
  return [
    {
      field: 'dueDate',
      headerName: t('Due'),
      flex: 0.9,
      minWidth: 172,
      valueGetter: (_, row) => [dueText(row, nowMs), dayText(row.dueDate)].filter(Boolean).join(', '),
    },
    {
      field: 'status',
      headerName: t('Status'),
      flex: 0.7,
      minWidth: 130,
      renderCell: ({ row }) => <StatusChip state={row.status} of="dispute" />,
    },
    { field: 'customer', headerName: t('Customer'), flex: 1, minWidth: 120, valueGetter: (_, row) => customerOf(row.payment) },
    { field: 'card', headerName: t('Paid with'), width: 148, valueGetter: (_, row) => (row.payment ? paidWith(row.payment) : '') },
    {
      field: 'amount',
      headerName: t('Amount, {{currency}}', { currency }),
      flex: 0.7,
      minWidth: 112,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    {
      field: 'reason',
      headerName: t('Reason'),
      flex: 2,
      minWidth: 176,
      valueGetter: (_, row) => reasonText(row),
    },
    {
      field: 'evidence',
      headerName: t('Evidence'),
      flex: 0.8,
      minWidth: 124,
      valueGetter: (_, row) => evidenceText(row),
    },
    { field: 'order', headerName: t('Order'), width: 112, valueGetter: (_, row) => row.payment?.orderId ?? '' },
  ];
}

function evidenceText({ documentCount, packCount }: DisputeListItem): string {
  if (packCount > 0) return t('Pack created');
  return documentCount > 0 ? t('{{count, number}} documents', { count: documentCount }) : t('Not prepared');
}
