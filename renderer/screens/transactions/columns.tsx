import type { GridColDef } from '@mui/x-data-grid';
import { channelName } from '#renderer/base/channels';
import type { Merchant, Payment } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, MoneyText, StatusChip, TimeText } from '#renderer/kit/ui';
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
    {
      field: 'createdAt',
      headerName: t('Time'),
      flex: 0.9,
      minWidth: 138,
      renderCell: ({ row }) => <TimeText at={row.createdAt} timeZone={timezone} />,
    },
    {
      field: 'status',
      headerName: t('Status'),
      flex: 0.7,
      minWidth: 156,
      renderCell: ({ row }) => <StatusChip state={stateOfPayment(row)} of="transaction" />,
    },
    {
      field: 'type',
      headerName: t('Type'),
      flex: 0.7,
      minWidth: 104,
      valueGetter: (_, { transaction }) => (transaction ? typeOf(transaction) : t('Sale')),
    },
    {
      field: 'amount',
      headerName: t('Amount, {{currency}}', { currency }),
      flex: 0.7,
      minWidth: 112,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => {
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
      },
    },
    {
      field: 'customer',
      headerName: t('Customer'),
      flex: 1.5,
      minWidth: 120,
      valueGetter: (_, row) => payerOf(row),
    },
    { field: 'card', headerName: t('Paid with'), flex: 1, minWidth: 142, valueGetter: (_, row) => methodOf(row) },
    {
      field: 'expires',
      headerName: t('Expires'),
      flex: 0.9,
      minWidth: 138,
      renderCell: ({ row: { transaction } }) =>
        transaction?.authorizationExpiresAt && <TimeText at={transaction.authorizationExpiresAt} timeZone={timezone} />,
    },
    {
      field: 'channel',
      headerName: t('Channel'),
      flex: 0.7,
      minWidth: 160,
      valueGetter: (_, { transaction }) => (transaction ? channelName(transaction.channel) : ''),
    },
    {
      field: 'orderId',
      headerName: t('Order'),
      flex: 0.8,
      minWidth: 96,
      valueGetter: (_, { transaction, tender, orderNumber }) => orderNumber ?? (transaction ?? tender)?.orderId ?? '',
    },
    {
      field: 'refundedAmount',
      headerName: t('Refunded'),
      flex: 0.6,
      minWidth: 92,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => {
        const payment = row.transaction ?? row.tender;
        return payment && payment.refundedAmount > 0 && <MoneyText amount={-payment.refundedAmount} currency={payment.currency} />;
      },
    },
    {
      field: 'settlementDate',
      headerName: t('Settled'),
      flex: 0.7,
      minWidth: 104,
      valueGetter: (_, { transaction }) => (transaction?.settlementDate ? dayText(transaction.settlementDate) : ''),
    },
  ];
  return columns.filter(({ field }) => (isHeld ? HELD_FIELDS.includes(field) : field !== 'expires'));
}
