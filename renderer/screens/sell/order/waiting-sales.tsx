import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { actorText, ConfirmDialog, Dialog, formatDuration, useNow, useShortcuts } from '#renderer/kit/ui';
import { useMe, useMerchant } from '#renderer/session/user';
import { ClearParkedSales } from '#renderer/shared/orders';
import type { SaleForm } from '../form/use-sale-form.ts';
import { holderOf, waitingOrdersQuery } from './queries.ts';
import type { SplitSale } from './use-split-sale.ts';

const KEYS = 'Mod+Shift+O';

interface WaitingSalesProps {
  readonly sale: SplitSale;
  readonly form: SaleForm;
  /** True while a payment is sent or its outcome is awaited. */
  readonly isBusy: boolean;
  /** Begins the next sale if a result is shown. */
  readonly readyForEntry: () => boolean;
}

/** Button with the number of parked sales, or of unfinished ones if none is parked, which opens the list of both. Without any, only its key opens the list. */
export function WaitingSales({ sale, form, isBusy, readyForEntry }: WaitingSalesProps) {
  const { merchantId } = useMerchant();
  const { data = [], isPending } = useQuery(waitingOrdersQuery(merchantId));
  const [isOpen, setOpen] = useState(false);
  const waiting = data.filter(({ orderId }) => orderId !== sale.order?.orderId);
  const parked = waiting.filter(({ status }) => status === 'parked').length;
  const { user } = useMe();
  /** Order that another person has, and that is taken over after a question. */
  const [taken, setTaken] = useState<Order | null>(null);
  const barredReason =
    sale.order !== null
      ? t('Finish the split sale first.')
      : isBusy
        ? t('A payment is being processed. The outcome appears here automatically.')
        : undefined;
  const open = () => setOpen(true);
  useShortcuts(t('Sell'), [{ keys: KEYS, label: t('Parked sales'), run: open }]);
  const resume = (order: Order) => {
    setOpen(false);
    setTaken(null);
    if (!readyForEntry()) return;
    sale.resume(order);
    form.focus('amount');
  };
  const ask = (order: Order) => {
    const holder = holderOf(order);
    if (holder === null || holder === user.email) return resume(order);
    setOpen(false);
    setTaken(order);
  };
  return (
    <>
      {waiting.length > 0 && (
        <Button size="small" onClick={open}>
          {parked > 0 ? t('Parked: {{number}}', { number: parked }) : t('Unfinished: {{number}}', { number: waiting.length })}
        </Button>
      )}
      {isOpen && (
        <WaitingList orders={waiting} isLoading={isPending} barredReason={barredReason} onResume={ask} onClose={() => setOpen(false)} />
      )}
      {taken !== null && (
        <ConfirmDialog
          title={t('Take over this sale?')}
          isOpen
          submitLabel={t('Take over sale')}
          onSubmit={() => resume(taken)}
          onClose={() => setTaken(null)}
        >
          {t('{{person}} has {{order}}. After you take it over, they can take no payment for it and cannot cancel it.', {
            person: actorText(holderOf(taken) ?? ''),
            order: taken.name ?? taken.number,
          })}
        </ConfirmDialog>
      )}
    </>
  );
}

interface WaitingListProps {
  readonly orders: readonly Order[];
  readonly isLoading: boolean;
  /** Reason why none can be resumed now. */
  readonly barredReason: string | undefined;
  readonly onResume: (order: Order) => void;
  readonly onClose: () => void;
}

function WaitingList({ orders, isLoading, barredReason, onResume, onClose }: WaitingListProps) {
  const now = useNow(true);
  const clearable = orders.filter(({ status }) => status === 'parked');
  return (
    <Dialog
      title={t('Parked and unfinished sales')}
      isOpen
      onClose={onClose}
      actions={
        <>
          {clearable.length > 0 && <ClearParkedSales orders={clearable} />}
          <Button variant="text" onClick={onClose}>
            {t('Close')}
          </Button>
        </>
      }
    >
      {orders.length > 0 && barredReason && (
        <Alert id="resume-barred" severity="info" sx={{ mb: 3 }}>
          {barredReason}
        </Alert>
      )}
      {orders.length === 0 && <Box role="status">{isLoading ? t('Loading…') : t('No sale is parked.')}</Box>}
      <Box component="ul" aria-label={t('Parked sales')} sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}>
        {orders.map((order) => (
          <Box component="li" key={order.orderId} sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box sx={{ fontWeight: 600 }}>{[order.name, order.number].filter(Boolean).join(', ')}</Box>
              <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
                {[
                  order.customerName,
                  ...(order.status === 'parked'
                    ? [t('parked by {{person}}', { person: actorText(order.parkedBy ?? '') })]
                    : [t('{{person}} has this sale', { person: actorText(holderOf(order) ?? '') }), t('not paid in full')]),
                  formatDuration(now - Date.parse(order.parkedAt ?? order.createdAt)),
                ]
                  .filter(Boolean)
                  .join(', ')}
              </Box>
            </Box>
            <span>{writeMoney(order.remainingAmount, order.currency)}</span>
            <Button
              disabled={barredReason !== undefined}
              aria-describedby={barredReason && 'resume-barred'}
              onClick={() => onResume(order)}
              aria-label={t('Resume {{order}}', { order: order.name ?? order.number })}
            >
              {t('Resume')}
            </Button>
          </Box>
        ))}
      </Box>
    </Dialog>
  );
}
