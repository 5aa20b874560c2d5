import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, UnconfirmedOperation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { moneyColumn, textColumn } from '#renderer/kit/data-table';
import { formatDuration, StatusChip } from '#renderer/kit/ui';
import { chipOf, operationName, paidWith } from './texts.ts';

/** Columns of the list at the current time of the tenant. */
export function columnsFor({ currency }: Merchant, tenantMs: number): GridColDef<UnconfirmedOperation>[] {
  return [
    textColumn('since', t('Age'), { flex: 0.5, minWidth: 96 }, (row) => formatDuration(tenantMs - Date.parse(row.since))),
    textColumn('customer', t('Customer'), { flex: 1.2, minWidth: 130 }, (row) => row.customerName ?? ''),
    { field: 'operation', headerName: t('Operation'), flex: 0.9, minWidth: 124, valueGetter: (_, row) => operationName(row) },
    { field: 'card', headerName: t('Paid with'), flex: 1, minWidth: 136, valueGetter: (_, row) => paidWith(row) },
    moneyColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.8, minWidth: 104 }, currency, (row) => row.amount),
    { field: 'status', headerName: t('Status'), flex: 0.8, minWidth: 154, renderCell: ({ row }) => <StatusChip {...chipOf(row)} /> },
    { field: 'gateway', headerName: t('Gateway'), flex: 0.8, minWidth: 110, valueGetter: (_, row) => row.gateway },
  ];
}
