import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, newIdempotencyKey, type Order } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { ConfirmDialog, Dialog, FailureNote, formatDuration, useNow, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import type { Terminal } from '../use-terminal.ts';
import { cancelOrder, refreshOrders, waitingOrdersQuery } from './queries.ts';

const KEYS = 'Mod+Shift+O';

/** Button with the number of parked and unfinished sales, which opens their list; nothing if there are none. */
export function WaitingSales({ terminal: { sale, stage, form } }: { terminal: Terminal }) {
  const { merchantId } = useMerchant();
  const { data = [] } = useQuery(waitingOrdersQuery(merchantId));
  const [isOpen, setOpen] = useState(false);
  const waiting = data.filter(({ orderId }) => orderId !== sale.order?.orderId);
  const canResume = stage.kind === 'entry' && sale.order === null;
  const open = () => setOpen(true);
  useShortcuts(t('Sell'), waiting.length > 0 ? [{ keys: KEYS, label: t('Parked sales'), run: open }] : []);
  if (waiting.length === 0) return null;
  const resume = (order: Order) => {
    setOpen(false);
    sale.resume(order);
    form.focus('amount');
  };
  return (
    <>
      <Button size="small" onClick={open}>
        {t('Parked: {{number}}', { number: waiting.length })}
      </Button>
      {isOpen && <WaitingList orders={waiting} canResume={canResume} onResume={resume} onClose={() => setOpen(false)} />}
    </>
  );
}

interface WaitingListProps {
  readonly orders: readonly Order[];
  readonly canResume: boolean;
  readonly onResume: (order: Order) => void;
  readonly onClose: () => void;
}

function WaitingList({ orders, canResume, onResume, onClose }: WaitingListProps) {
  const now = useNow(true);
  const [isClearing, setClearing] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const clearable = orders.filter(({ status }) => status === 'parked');
  const clear = async () => {
    setClearing(false);
    try {
      for (const { orderId } of clearable) await cancelOrder(orderId, newIdempotencyKey());
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setFailure(cause);
    }
    await refreshOrders();
  };
  return (
    <Dialog
      title={t('Parked and unfinished sales')}
      isOpen
      onClose={onClose}
      actions={
        <>
          {clearable.length > 0 && (
            <Button color="error" onClick={() => setClearing(true)}>
              {t('Cancel all parked sales')}
            </Button>
          )}
          <Button variant="text" onClick={onClose}>
            {t('Close')}
          </Button>
        </>
      }
    >
      {failure && <FailureNote failure={failure} />}
      <Box component="ul" aria-label={t('Parked sales')} sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}>
        {orders.map((order) => (
          <Box component="li" key={order.orderId} sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box sx={{ fontWeight: 600 }}>{[order.name, order.number].filter(Boolean).join(', ')}</Box>
              <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
                {[
                  order.status === 'parked' ? order.parkedBy : t('not paid in full'),
                  formatDuration(now - Date.parse(order.parkedAt ?? order.createdAt)),
                ].join(', ')}
              </Box>
            </Box>
            <span>{writeMoney(order.remainingAmount, order.currency)}</span>
            <Button
              disabled={!canResume}
              onClick={() => onResume(order)}
              aria-label={t('Resume {{order}}', { order: order.name ?? order.number })}
            >
              {t('Resume')}
            </Button>
          </Box>
        ))}
      </Box>
      <ConfirmDialog
        title={t('Cancel all parked sales?')}
        isOpen={isClearing}
        isDangerous
        confirmLabel={t('Cancel parked sales')}
        onConfirm={() => void clear()}
        onClose={() => setClearing(false)}
      >
        {t('Nothing was paid for them. They cannot be resumed any more.')}
      </ConfirmDialog>
    </Dialog>
  );
}
