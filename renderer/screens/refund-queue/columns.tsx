import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, QueueEntry } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { moneyColumn, statusColumn, textColumn } from '#renderer/kit/data-table';
import { formatDuration } from '#renderer/kit/ui';
import { attemptsText, nextRetryText } from './texts.ts';

/** Columns of the queue; ages and countdowns use the time of the tenant. */
export function columnsFor({ currency }: Merchant, nowMs: number): GridColDef<QueueEntry>[] {
  return [
    textColumn('createdAt', t('Age'), { flex: 0.5, minWidth: 80 }, (row) => formatDuration(nowMs - Date.parse(row.createdAt))),
    statusColumn({ flex: 0.6, minWidth: 112 }, (row) => row.status),
    textColumn(
      'customer',
      t('Customer'),
      { flex: 1.2, minWidth: 112 },
      ({ customer, card, bankAccount }) =>
        customer?.name ?? customer?.email ?? t('Ending in {{last4}}', { last4: card?.last4 ?? bankAccount?.last4 ?? '' }),
    ),
    moneyColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.7, minWidth: 104 }, currency, (row) => row.amount),
    textColumn(
      'declineReason',
      t('Decline reason'),
      { flex: 1.6, minWidth: 164 },
      (row) => `${serviceText(row.declineReason)} (${row.declineCode})`,
    ),
    { field: 'attemptCount', headerName: t('Attempts'), flex: 0.6, minWidth: 84, valueGetter: (_, row) => attemptsText(row) },
    textColumn('scheduledRetryAt', t('Next retry'), { flex: 0.7, minWidth: 112 }, (row) => nextRetryText(row, nowMs)),
  ];
}
