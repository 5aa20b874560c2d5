import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, Shift, Tender } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { figureColumn, moneyColumn, statusColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { actorText, MoneyText } from '#renderer/kit/ui';
import { tenderText } from '#renderer/shared/tenders';

export function tenderColumns({ currency, timezone }: Pick<Merchant, 'currency' | 'timezone'>): GridColDef<Tender>[] {
  return [
    timeColumn('createdAt', t('Time'), { flex: 1, minWidth: 130 }, timezone, (row) => row.createdAt),
    { field: 'number', headerName: t('Receipt'), flex: 0.7, minWidth: 100 },
    { field: 'kind', headerName: t('Method'), flex: 1.2, minWidth: 130, valueGetter: (_, row) => tenderText(row) },
    moneyColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.8, minWidth: 120 }, currency, (row) => row.amount),
    statusColumn({ flex: 1, minWidth: 156 }, (row) => row.status),
    textColumn('customer', t('Customer'), { flex: 1.2, minWidth: 120 }, (row) => row.customerName ?? row.customerEmail ?? ''),
    { field: 'drawer', headerName: t('Drawer'), flex: 0.8, minWidth: 100 },
    textColumn('createdBy', t('Taken by'), { flex: 1.2, minWidth: 130 }, ({ createdBy }) => createdBy && actorText(createdBy)),
  ];
}

export function shiftColumns({ currency, timezone }: Merchant): GridColDef<Shift>[] {
  const amount = (field: 'floatAmount' | 'expectedAmount' | 'countedAmount' | 'varianceAmount', name: string) =>
    figureColumn<Shift>(field, name, { flex: 0.8, minWidth: 110 }, ({ currency: unit, [field]: value }) => {
      const isStrong = field === 'varianceAmount' && value !== null && value !== 0;
      return value === null ? '–' : <MoneyText amount={value} currency={unit} sx={isStrong ? { fontWeight: 600 } : {}} />;
    });
  return [
    timeColumn('openedAt', t('Opened'), { flex: 1, minWidth: 130 }, timezone, (row) => row.openedAt),
    statusColumn({ flex: 0.8, minWidth: 100 }, (row) => (row.status === 'open' ? 'shift_open' : 'shift_closed')),
    { field: 'zNumber', headerName: t('Z report'), flex: 0.5, minWidth: 80, valueGetter: (_, row) => row.zNumber ?? '–' },
    { field: 'drawer', headerName: t('Drawer'), flex: 0.9, minWidth: 100 },
    textColumn('openedBy', t('Opened by'), { flex: 1.3, minWidth: 140 }, ({ openedBy }) => actorText(openedBy)),
    amount('floatAmount', t('Float, {{currency}}', { currency })),
    amount('expectedAmount', t('Expected')),
    amount('countedAmount', t('Counted')),
    amount('varianceAmount', t('Variance')),
  ];
}
