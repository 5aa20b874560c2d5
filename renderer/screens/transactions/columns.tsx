import type { GridColDef } from '@mui/x-data-grid';
import { channelName } from '#renderer/base/channels';
import type { Merchant, Payment } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { figureColumn, statusColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { dayText, MoneyText } from '#renderer/kit/ui';
import { methodOf, payerOf } from '#renderer/shared/tenders';
import { stateOfPayment, typeOf } from './status.ts';

/** Columns of held money, which has one status, one type, and neither refunds nor a settlement. */
const HELD_FIELDS: readonly string[] = ['createdAt', 'amount', 'customer', 'card', 'expires', 'orderId'];

/**
 * Columns of the list. The header names the merchant's currency; other currencies are shown next to their amounts. A list of held money shows when it
 * expires.
 */
export function columnsFor({ currency, timezone }: Merchant, isHeld: boolean): GridColDef<Payment>[] {
  const columns: GridColDef<Payment>[] = [
    timeColumn('createdAt', t('Time'), { flex: 0.9, minWidth: 138 }, timezone, (row) => row.createdAt),
    statusColumn({ flex: 0.7, minWidth: 156 }, (row) => stateOfPayment(row), 'transaction'),
    textColumn('type', t('Type'), { flex: 0.7, minWidth: 104 }, ({ transaction }) => (transaction ? typeOf(transaction) : t('Sale'))),
    figureColumn('amount', t('Amount, {{currency}}', { currency }), { flex: 0.7, minWidth: 112 }, (row) => {
      const payment = row.transaction ?? row.tender;
      return (
        payment && (
          <MoneyText
            amount={row.transaction?.type === 'credit' ? -payment.amount : payment.amount}
            currency={payment.currency}
            code={payment.currency !== currency}
            sx={{ fontWeight: 600 }}
          />
        )
      );
    }),
    textColumn('customer', t('Customer'), { flex: 1.5, minWidth: 120 }, (row) => payerOf(row)),
    { field: 'card', headerName: t('Paid with'), flex: 1, minWidth: 142, valueGetter: (_, row) => methodOf(row) },
    timeColumn('expires', t('Expires'), { flex: 0.9, minWidth: 138 }, timezone, ({ transaction }) => transaction?.authorizationExpiresAt),
    textColumn('channel', t('Channel'), { flex: 0.7, minWidth: 160 }, ({ transaction }) =>
      transaction ? channelName(transaction.channel) : '',
    ),
    textColumn(
      'orderId',
      t('Order'),
      { flex: 0.8, minWidth: 96 },
      ({ transaction, tender, orderNumber }) => orderNumber ?? (transaction ?? tender)?.orderId ?? '',
    ),
    figureColumn('refundedAmount', t('Refunded'), { flex: 0.6, minWidth: 92 }, (row) => {
      const payment = row.transaction ?? row.tender;
      return payment && payment.refundedAmount > 0 && <MoneyText amount={-payment.refundedAmount} currency={payment.currency} />;
    }),
    textColumn('settlementDate', t('Settled'), { flex: 0.7, minWidth: 104 }, ({ transaction }) =>
      transaction?.settlementDate ? dayText(transaction.settlementDate) : '',
    ),
  ];
  return columns.filter(({ field }) => (isHeld ? HELD_FIELDS.includes(field) : field !== 'expires'));
}
