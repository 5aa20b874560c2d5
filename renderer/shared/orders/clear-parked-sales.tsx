import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, newIdempotencyKey, type Order } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { ConfirmDialog, FailureNote } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { cancelOrder, parkedOrdersQuery, refreshOrders } from './queries.ts';

/** Button that cancels parked sales after a question. */
export function ClearParkedSales({ orders }: { orders: readonly Order[] }) {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const clear = async () => {
    setAsking(false);
    try {
      for (const { orderId } of orders) await cancelOrder(orderId, newIdempotencyKey());
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setFailure(cause);
    }
    await refreshOrders();
  };
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      <Button color="error" onClick={() => setAsking(true)}>
        {t('Cancel all parked sales')}
      </Button>
      <ConfirmDialog
        title={t('Cancel all parked sales?')}
        isOpen={isAsking}
        isDangerous
        confirmLabel={t('Cancel parked sales')}
        onConfirm={() => void clear()}
        onClose={() => setAsking(false)}
      >
        {t('Nothing was paid for them. They cannot be resumed any more.')}
      </ConfirmDialog>
    </>
  );
}

/** Question at the end of the day: the sales that are still parked, and the button that cancels them. Nothing if there are none. */
export function ParkedSalesQuestion() {
  const { merchantId } = useMerchant();
  const may = useMay();
  const canClear = may('transactions:write');
  const { data: orders = [] } = useQuery({ ...parkedOrdersQuery(merchantId), enabled: canClear });
  if (!canClear || orders.length === 0) return null;
  return (
    <Alert severity="info" action={<ClearParkedSales orders={orders} />} sx={{ flexWrap: 'wrap' }}>
      {t('These sales are still parked. They stay for tomorrow unless you cancel them.')}{' '}
      {orders
        .map(({ name, number, remainingAmount, currency }) => `${name ?? number}, ${writeMoney(remainingAmount, currency)}`)
        .join('; ')}
    </Alert>
  );
}
