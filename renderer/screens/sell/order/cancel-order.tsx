import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, newIdempotencyKey, type OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, toMinor, writeMoney } from '#renderer/base/money';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, ConfirmDialog, FailureNote, QueryContent } from '#renderer/kit/ui';
import { cancelOrder, paymentText, refreshOrders } from '#renderer/shared/orders';
import { usePrintTender } from '#renderer/shared/tenders';
import { type ReturnablePayment, readCancellation, returnPayment } from './queries.ts';

const WAYS: Readonly<Record<ReturnablePayment['way'], string>> = {
  void: t('is voided'),
  refund: t('is refunded'),
  cash: t('is paid out at the counter'),
  'gift-card': t('goes back to the gift card'),
  tender: t('goes back in the way in which it was paid'),
};

interface CancelOrderProps {
  readonly order: OrderDetail;
  /**
   * Cash that the clerk hands back, in minor units by refund: a repeated request returns the same refund. It outlives the dialog, which may be closed
   * after a failure and opened again.
   */
  readonly cash: Map<string, number>;
  /** Gets the cash that is handed back, in minor units. */
  readonly onCanceled: (cashMinor: number) => void;
  readonly onClose: () => void;
}

/** Lists what was paid, and returns all of it with one confirmation. What a failure leaves is listed again. */
export function CancelOrder({ order, cash, onCanceled, onClose }: CancelOrderProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const drawer = useWorkstation((settings) => settings.drawer);
  const printTender = usePrintTender();
  /** Keys of the returns: a repeated one has no further effect. */
  const keys = useRef(new Map<string, string>());
  const keyOf = (name: string) => {
    const key = keys.current.get(name) ?? newIdempotencyKey();
    keys.current.set(name, key);
    return key;
  };
  const cancellation = useQuery({
    queryKey: ['orders', 'cancellation', order.orderId, order.updatedAt],
    queryFn: () => readCancellation(order.orderId),
    staleTime: 0,
  });
  const refusal = cancellation.data?.refusal ?? null;
  const handBack = () => [...cash.values()].reduce((sum, minor) => sum + minor, 0);
  const cancel = async () => {
    setBusy(true);
    setFailure(null);
    try {
      // A payment of another till can have started since the list was read.
      const { data, error } = await cancellation.refetch();
      if (error instanceof ApiFailure) setFailure(error);
      if (error !== null || data === undefined || data.refusal !== null) return;
      for (const each of data.returned) {
        const refund = await returnPayment(each, drawer, keyOf(each.payment.paymentId));
        if (refund === null || each.payment.kind !== 'cash') continue;
        cash.set(refund.refundId, toMinor(refund.amount, order.currency) + toMinor(refund.roundingAmount, order.currency));
        const subject = { tender: { tenderId: each.payment.paymentId }, refund: { refundId: refund.refundId } };
        void printTender({ subject, isCash: true, reason: `Cash refund ${refund.number}` }, false);
      }
      await cancelOrder(order.orderId, keyOf(order.orderId));
      announce(t('The sale is canceled.'));
      onClose();
      onCanceled(handBack());
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      if (!cause.isUnconfirmed) keys.current.clear();
      setFailure(cause);
    } finally {
      setBusy(false);
      void refreshOrders();
    }
  };
  // The button that confirms gets the focus, so the dialog opens with its list.
  if (cancellation.isPending) return null;
  return (
    <ConfirmDialog
      title={t('Cancel this sale?')}
      isOpen
      isDangerous
      cancelLabel={t('Keep sale')}
      submitLabel={cancellation.data?.returned.length ? t('Return payments and cancel sale') : t('Cancel sale')}
      isBusy={isBusy}
      isDisabled={cancellation.data === undefined || refusal !== null}
      onSubmit={() => void cancel()}
      onClose={onClose}
    >
      <QueryContent query={cancellation}>
        {({ returned }) =>
          refusal !== null ? (
            <Alert severity="warning" role="status">
              {refusal}
            </Alert>
          ) : returned.length === 0 ? (
            t('Nothing was paid yet.')
          ) : (
            <Box component="ul" sx={{ m: 0, paddingInlineStart: '16px' }}>
              {returned.map(({ payment, way }) => (
                <li key={payment.paymentId}>
                  {paymentText(payment)}: {writeMoney(payment.amount - payment.refundedAmount, order.currency)} {WAYS[way]}
                </li>
              ))}
            </Box>
          )
        }
      </QueryContent>
      {handBack() > 0 && (
        <Box role="status">
          {t('Hand back {{amount}} in cash.', { amount: writeMoney(decimalText(handBack(), order.currency), order.currency) })}
        </Box>
      )}
      {failure && <FailureNote failure={failure} />}
    </ConfirmDialog>
  );
}
