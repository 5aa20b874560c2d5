import { useMemo } from 'react';
import { ApiFailure, describeFailure, type Payment } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { BulkAction } from '#renderer/kit/data-table';
import { showToast } from '#renderer/kit/ui';
import { saveCsv } from '#renderer/session/download';
import { useMay } from '#renderer/session/user';
import { useBulkReceipts } from '#renderer/shared/receipt-delivery';

const paidOf = (payment: Payment) => payment;

/** Actions on selected payments: receipts and an export. None of them moves money. */
export function useBulkActions(): readonly BulkAction<Payment>[] {
  const mayExport = useMay()('transactions:export');
  const receipts = useBulkReceipts(paidOf);
  return useMemo(
    () => [...receipts, ...(mayExport ? [{ label: t('Export CSV'), runAll: (rows: readonly Payment[]) => void exportRows(rows) }] : [])],
    [receipts, mayExport],
  );
}

async function exportRows(rows: readonly Payment[]): Promise<void> {
  try {
    const ids = rows.map(({ paymentId }) => paymentId).join(',');
    await saveCsv({ path: '/api/v1/payments/export', query: { ids }, name: 'transactions.csv', rows: rows.length });
    showToast(t('{{count, number}} transactions exported', { count: rows.length }));
  } catch (cause) {
    if (!(cause instanceof ApiFailure)) throw cause;
    showToast(describeFailure(cause).problem);
  }
}
