import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, Shift, Tender } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { actorText, MoneyText, StatusChip, TimeText } from '#renderer/kit/ui';
import { tenderText } from '#renderer/shared/tenders';

const right = { align: 'right', headerAlign: 'right' } as const;

export function tenderColumns({ currency, timezone }: Pick<Merchant, 'currency' | 'timezone'>): GridColDef<Tender>[] {
  return [
    {
      field: 'createdAt',
      headerName: t('Time'),
      flex: 1,
      minWidth: 130,
      renderCell: ({ row }) => <TimeText at={row.createdAt} timeZone={timezone} />,
    },
    { field: 'number', headerName: t('Receipt'), flex: 0.7, minWidth: 100 },
    { field: 'kind', headerName: t('Method'), flex: 1.2, minWidth: 130, valueGetter: (_, row) => tenderText(row) },
    {
      field: 'amount',
      headerName: t('Amount, {{currency}}', { currency }),
      flex: 0.8,
      minWidth: 120,
      ...right,
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    {
      field: 'status',
      headerName: t('Status'),
      flex: 1,
      minWidth: 156,
      renderCell: ({ row }) => <StatusChip state={row.status} />,
    },
    {
      field: 'customer',
      headerName: t('Customer'),
      flex: 1.2,
      minWidth: 120,
      valueGetter: (_, row) => row.customerName ?? row.customerEmail ?? '',
    },
    { field: 'drawer', headerName: t('Drawer'), flex: 0.8, minWidth: 100 },
    {
      field: 'createdBy',
      headerName: t('Taken by'),
      flex: 1.2,
      minWidth: 130,
      valueGetter: (_, { createdBy }) => createdBy && actorText(createdBy),
    },
  ];
}

export function shiftColumns({ currency, timezone }: Merchant): GridColDef<Shift>[] {
  const amount = (field: 'floatAmount' | 'expectedAmount' | 'countedAmount' | 'varianceAmount', name: string): GridColDef<Shift> => ({
    field,
    headerName: name,
    flex: 0.8,
    minWidth: 110,
    ...right,
    renderCell: ({ row }) => {
      const value = row[field];
      const isStrong = field === 'varianceAmount' && value !== null && value !== 0;
      return value === null ? '–' : <MoneyText amount={value} currency={row.currency} sx={isStrong ? { fontWeight: 600 } : {}} />;
    },
  });
  return [
    {
      field: 'openedAt',
      headerName: t('Opened'),
      flex: 1,
      minWidth: 130,
      renderCell: ({ row }) => <TimeText at={row.openedAt} timeZone={timezone} />,
    },
    {
      field: 'status',
      headerName: t('Status'),
      flex: 0.8,
      minWidth: 100,
      renderCell: ({ row }) => <StatusChip state={row.status === 'open' ? 'shift_open' : 'shift_closed'} />,
    },
    { field: 'zNumber', headerName: t('Z report'), flex: 0.5, minWidth: 80, valueGetter: (_, row) => row.zNumber ?? '–' },
    { field: 'drawer', headerName: t('Drawer'), flex: 0.9, minWidth: 100 },
    {
      field: 'openedBy',
      headerName: t('Opened by'),
      flex: 1.3,
      minWidth: 140,
      valueGetter: (_, { openedBy }) => actorText(openedBy),
    },
    amount('floatAmount', t('Float, {{currency}}', { currency })),
    amount('expectedAmount', t('Expected')),
    amount('countedAmount', t('Counted')),
    amount('varianceAmount', t('Variance')),
  ];
}
