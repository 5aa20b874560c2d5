import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, MoneyText, StatusChip, sentenceCase } from '#renderer/kit/ui';
import { frequencyText } from '#renderer/shared/customers';
import { customerNameOf, lastResultText } from './texts.ts';

/** Column that gets the focus when the focus enters the list. */
export const FIRST_FIELD = 'customer';

/** Columns of the list of subscriptions. */
export function columnsFor({ currency }: Merchant): GridColDef<Subscription>[] {
  return [
    {
      field: FIRST_FIELD,
      headerName: t('Customer'),
      flex: 1.3,
      minWidth: 140,
      valueGetter: (_, row) => customerNameOf(row),
    },
    {
      field: 'planId',
      headerName: t('Subscription'),
      flex: 1,
      minWidth: 96,
      valueGetter: (_, row) => row.planId ?? '',
    },
    {
      field: 'amount',
      headerName: t('Amount, {{currency}}', { currency }),
      flex: 0.8,
      minWidth: 108,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    {
      field: 'frequency',
      headerName: t('Frequency'),
      flex: 0.8,
      minWidth: 108,
      valueGetter: (_, row) => sentenceCase(frequencyText(row.frequency)),
    },
    { field: 'nextPaymentDate', headerName: t('Next payment'), flex: 0.9, minWidth: 116, valueGetter: (_, row) => nextPaymentText(row) },
    {
      field: 'lastResult',
      headerName: t('Last result'),
      flex: 1.3,
      minWidth: 140,
      valueGetter: (_, row) => lastResultText(row),
    },
    { field: 'status', headerName: t('Status'), width: 112, renderCell: ({ row }) => <StatusChip state={row.status} of="subscription" /> },
  ];
}

function nextPaymentText({ nextPaymentDate, status }: Subscription): string {
  if (nextPaymentDate === null) return '';
  return status === 'past_due' ? t('{{date}} (retry)', { date: dayText(nextPaymentDate) }) : dayText(nextPaymentDate);
}
