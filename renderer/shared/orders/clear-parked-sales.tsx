import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, newIdempotencyKey, type Order } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { ConfirmDialog, FailureNote } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { cancelOrder, refreshOrders, unfinishedOrdersQuery } from './queries.ts';

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
        cancelLabel={t('Keep sales')}
        submitLabel={t('Cancel parked sales')}
        onSubmit={() => void clear()}
        onClose={() => setAsking(false)}
      >
        {t('Nothing was paid for them. They cannot be resumed any more.')}
      </ConfirmDialog>
    </>
  );
}

/**
 * Question at the end of the day: the sales that are still parked, and the button that cancels them unless the merchant keeps them; and the open sales of which a part is paid. Nothing if
 * there are none.
 */
export function ParkedSalesQuestion() {
  const { merchantId, vtSettings } = useMerchant();
  const may = useMay();
  const canClear = may('transactions:write');
  const { data } = useQuery({ ...unfinishedOrdersQuery(merchantId), enabled: canClear });
  if (!canClear || data === undefined) return null;
  const { parked, holdingMoney } = data;
  const isKept = vtSettings.parkedSales === 'keep';
  return (
    <>
      {holdingMoney.length > 0 && (
        <Alert severity="warning">
          {t('A part of these open sales is paid. Take the rest, or cancel them to return the money.')}{' '}
          {namesOf(holdingMoney, ({ paidAmount }) => paidAmount)}
        </Alert>
      )}
      {parked.length > 0 && (
        <Alert severity="info" action={!isKept && <ClearParkedSales orders={parked} />} sx={{ flexWrap: 'wrap' }}>
          {isKept
            ? t('These sales are still parked. They stay for tomorrow.')
            : t('These sales are still parked. They stay for tomorrow unless you cancel them.')}{' '}
          {namesOf(parked, ({ remainingAmount }) => remainingAmount)}
        </Alert>
      )}
    </>
  );
}

const namesOf = (orders: readonly Order[], amountOf: (order: Order) => number) =>
  orders.map((order) => `${order.name ?? order.number}, ${writeMoney(amountOf(order), order.currency)}`).join('; ');
