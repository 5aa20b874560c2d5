import type { GridColDef } from '@mui/x-data-grid';
import type { DisputeListItem, Merchant } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { moneyColumn, statusColumn, textColumn } from '#renderer/kit/data-table';
import { dayText } from '#renderer/kit/ui';
import { dueText, reasonText } from '#renderer/shared/disputes';
import { customerOf, paidWith } from '#renderer/shared/receipt';

export function columnsFor({ currency }: Merchant, nowMs: number): GridColDef<DisputeListItem>[] {
  return [
    textColumn('dueDate', t('Due'), { flex: 0.9, minWidth: 172 }, (row) =>
      [dueText(row, nowMs), dayText(row.dueDate)].filter(Boolean).join(', '),
    ),
    statusColumn({ flex: 0.7, minWidth: 130 }, (row) => row.status, 'dispute'),
    { field: 'customer', headerName: t('Customer'), flex: 1, minWidth: 120, valueGetter: (_, row) => customerOf(row.payment) },
    { field: 'card', headerName: t('Paid with'), width: 148, valueGetter: (_, row) => (row.payment ? paidWith(row.payment) : '') },
    moneyColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.7, minWidth: 112 }, currency, (row) => row.amount),
    textColumn('reason', t('Reason'), { flex: 2, minWidth: 176 }, (row) => reasonText(row)),
    textColumn('evidence', t('Evidence'), { flex: 0.8, minWidth: 124 }, (row) => evidenceText(row)),
    { field: 'order', headerName: t('Order'), width: 112, valueGetter: (_, row) => row.payment?.orderId ?? '' },
  ];
}

function evidenceText({ documentCount, packCount }: DisputeListItem): string {
  if (packCount > 0) return t('Pack created');
  return documentCount > 0 ? t('{{count, number}} documents', { count: documentCount }) : t('Not prepared');
}
