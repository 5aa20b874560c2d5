import type { GridColDef } from '@mui/x-data-grid';
import type { Merchant, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { moneyColumn, statusColumn, textColumn } from '#renderer/kit/data-table';
import { dayText, sentenceCase } from '#renderer/kit/ui';
import { frequencyText } from '#renderer/shared/customers';
import { customerNameOf, lastResultText } from './texts.ts';

/** Column that gets the focus when the focus enters the list. */
export const FIRST_FIELD = 'customer';

/** Columns of the list of subscriptions. */
export function columnsFor({ currency }: Merchant): GridColDef<Subscription>[] {
  return [
    textColumn(FIRST_FIELD, t('Customer'), { flex: 1.3, minWidth: 140 }, (row) => customerNameOf(row)),
    textColumn('planId', t('Subscription'), { flex: 1, minWidth: 96 }, (row) => row.planId ?? ''),
    moneyColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.8, minWidth: 108 }, currency, (row) => row.amount),
    textColumn('frequency', t('Frequency'), { flex: 0.8, minWidth: 108 }, (row) => sentenceCase(frequencyText(row.frequency))),
    { field: 'nextPaymentDate', headerName: t('Next payment'), flex: 0.9, minWidth: 116, valueGetter: (_, row) => nextPaymentText(row) },
    textColumn('lastResult', t('Last result'), { flex: 1.3, minWidth: 140 }, (row) => lastResultText(row)),
    statusColumn({ width: 112 }, (row) => row.status, 'subscription'),
  ];
}

function nextPaymentText({ nextPaymentDate, status }: Subscription): string {
  if (nextPaymentDate === null) return '';
  return status === 'past_due' ? t('{{date}} (retry)', { date: dayText(nextPaymentDate) }) : dayText(nextPaymentDate);
}
