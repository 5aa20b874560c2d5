import { useMemo } from 'react';
import { ApiFailure, describeFailure, type Payment, queryClient } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { BulkAction } from '#renderer/kit/data-table';
import { showToast } from '#renderer/kit/ui';
import { saveCsv } from '#renderer/session/download';
import { useMay } from '#renderer/session/user';
import { messageQuery, sendingResult } from '#renderer/shared/messages';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { emailReceipt } from '#renderer/shared/receipt-delivery';

const WITHOUT_RECEIPT: ReadonlySet<string> = new Set(['pending', 'declined', 'failed', 'voided']);

const emailOf = ({ transaction, tender }: Payment) => transaction?.customer?.email ?? tender?.customerEmail ?? null;

/** Actions on selected payments: receipts and an export. None of them moves money. */
export function useBulkActions(): readonly BulkAction<Payment>[] {
  const may = useMay();
  const print = usePrintReceipt();
  const [maySend, maySee, mayExport] = [may('notifications:write'), may('notifications:read'), may('transactions:export')];
  return useMemo(
    () => [
      {
        label: t('Print receipts'),
        explain: (rows) => t('Prints the customer copy of {{count, number}} receipts.', { count: rows.length }),
        run: async ({ transaction, tender }) => {
          const of = tender ? { tender } : transaction && { transaction };
          const { sent, problem } = of ? await print({ ...of, copy: 'customer' }) : { sent: false, problem: undefined };
          if (!sent) throw new ApiFailure('NOT_PRINTED', problem ?? t('It was not printed.'));
          return t('Sent to the printer');
        },
      },
      ...(maySend
        ? [
            {
              label: t('Email receipts'),
              explain: (rows: readonly Payment[]) =>
                t('Emails {{count, number}} receipts to the addresses of the payments. No money moves.', { count: rows.length }),
              reason: (row: Payment) => {
                if (emailOf(row) === null) return t('no email address');
                return WITHOUT_RECEIPT.has(row.transaction?.status ?? 'approved') ? t('no receipt to send') : undefined;
              },
              run: async (row: Payment) => {
                const recipient = emailOf(row) ?? '';
                const { messageId } = await emailReceipt({ transactionId: row.paymentId }, recipient);
                return maySee ? sendingResult(await queryClient.fetchQuery(messageQuery(messageId)), recipient) : undefined;
              },
            },
          ]
        : []),
      ...(mayExport ? [{ label: t('Export CSV'), runAll: (rows: readonly Payment[]) => void exportRows(rows) }] : []),
    ],
    [print, maySend, maySee, mayExport],
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
