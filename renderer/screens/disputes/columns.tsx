import type { GridColDef } from '@mui/x-data-grid';
import type { Dispute, Merchant } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { WrappedText } from '#renderer/kit/data-table';
import { dayText, MoneyText, StatusChip } from '#renderer/kit/ui';
import { dueText, reasonText } from '#renderer/shared/disputes';
import { brandName } from '#shared/card-brands';

export function columnsFor({ currency }: Merchant, nowMs: number): GridColDef<Dispute>[] {
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
      minWidth: 200,
      valueGetter: (_, row) => reasonText(row),
      renderCell: ({ row }) => <WrappedText text={reasonText(row)} />,
    },
    {
      field: 'scheme',
      headerName: t('Scheme'),
      flex: 0.6,
      minWidth: 100,
      valueGetter: (_, row) => SCHEMES[row.scheme] ?? brandName(row.scheme),
    },
  ];
}

const SCHEMES: Readonly<Record<string, string>> = {
  ach: 'ACH',
  other: t('Other'),
};
