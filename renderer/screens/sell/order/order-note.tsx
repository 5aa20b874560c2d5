import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { orderQuery } from '#renderer/shared/orders';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { isOrderId } from '#shared/order-id';
import { SoldGiftCards } from '../gift-card/sold-gift-cards.tsx';

interface OrderNoteProps {
  readonly orderId: string | null;
  /** Amount of the payment, and the requested one if a part of it could be approved. */
  readonly payment?: { readonly amount: number; readonly requestedAmount: number | null; readonly status: string };
}

/** Returns the label of the button after a payment: it begins the next payment of a split sale of which a part remains, else the next sale. */
export function useNextLabel(orderId: string | null): string {
  const { data: order } = useQuery({ ...orderQuery(orderId ?? ''), enabled: isOrderId(orderId) });
  return order?.status === 'open' ? t('Next payment') : t('New sale');
}

/** After a payment of a split sale: what was approved of it, what remains, and the receipt of the whole sale once it is paid. */
export function OrderNote({ orderId, payment }: OrderNoteProps) {
  const print = usePrintReceipt();
  const { data: order } = useQuery({ ...orderQuery(orderId ?? ''), enabled: isOrderId(orderId) });
  if (order === undefined) return null;
  const { currency, remainingAmount } = order;
  const requested = payment?.requestedAmount ?? null;
  const isPart = payment?.status === 'approved' && requested !== null && payment.amount < requested;
  if (order.status === 'paid')
    return (
      <Alert severity="success" role="status" sx={{ alignItems: 'flex-start' }}>
        {t('The sale is paid in full.')}{' '}
        <Link component={RouterLink} to={`/orders/${order.orderId}`} underline="always">
          {t('Open sale {{number}}', { number: order.number })}
        </Link>
        <Button color="inherit" size="small" onClick={() => void print({ order, copy: 'customer' })} sx={{ display: 'flex', mt: 2 }}>
          {t('Print receipt for the whole sale')}
        </Button>
        <SoldGiftCards order={order} />
      </Alert>
    );
  return (
    <Alert severity={isPart ? 'warning' : 'info'} role="status">
      {isPart &&
        `${t('Only {{approved}} of {{requested}} was approved. If the customer declines this, void the payment.', {
          approved: writeMoney(payment.amount, currency),
          requested: writeMoney(requested, currency),
        })} `}
      {t('Remaining: {{amount}}', { amount: writeMoney(remainingAmount, currency) })}
    </Alert>
  );
}
