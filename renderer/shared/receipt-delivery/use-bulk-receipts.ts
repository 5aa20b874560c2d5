import { useMemo } from 'react';
import { ApiFailure, type Payment, queryClient } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { BulkAction } from '#renderer/kit/data-table';
import { useMay } from '#renderer/session/user';
import { messageQuery, sendingResult } from '#renderer/shared/messages';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { emailReceipt } from './requests.ts';

const WITHOUT_RECEIPT: ReadonlySet<string> = new Set(['pending', 'declined', 'failed', 'voided']);

type Paid = Pick<Payment, 'transaction' | 'tender'>;

const emailOf = ({ transaction, tender }: Paid) => transaction?.customer?.email ?? tender?.customerEmail ?? null;

/** Returns the actions that print and email the receipts of selected rows. `paidOf` returns the payment of a row, and is the same in each render. */
export function useBulkReceipts<Row>(paidOf: (row: Row) => Paid): readonly BulkAction<Row>[] {
  const may = useMay();
  const print = usePrintReceipt();
  const [maySend, maySee] = [may('notifications:write'), may('notifications:read')];
  return useMemo(
    () => [
      {
        label: t('Print receipts'),
        explain: (rows) => t('Prints the customer copy of {{count, number}} receipts.', { count: rows.length }),
        run: async (row) => {
          const { transaction, tender } = paidOf(row);
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
              explain: (rows: readonly Row[]) =>
                t('Emails {{count, number}} receipts to the addresses of the payments. No money moves.', { count: rows.length }),
              reason: (row: Row) => {
                const paid = paidOf(row);
                if (emailOf(paid) === null) return t('no email address');
                return WITHOUT_RECEIPT.has(paid.transaction?.status ?? 'approved') ? t('no receipt to send') : undefined;
              },
              run: async (row: Row) => {
                const paid = paidOf(row);
                const recipient = emailOf(paid) ?? '';
                const { messageId } = await emailReceipt(
                  { transactionId: paid.transaction?.transactionId ?? paid.tender?.tenderId ?? '' },
                  recipient,
                );
                return maySee ? sendingResult(await queryClient.fetchQuery(messageQuery(messageId)), recipient) : undefined;
              },
            },
          ]
        : []),
    ],
    [paidOf, print, maySend, maySee],
  );
}
