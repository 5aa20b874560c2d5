import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { actorText, Dialog, formatDuration, useNow, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { ClearParkedSales } from '#renderer/shared/orders';
import type { Terminal } from '../use-terminal.ts';
import { waitingOrdersQuery } from './queries.ts';

const KEYS = 'Mod+Shift+O';

/** Button with the number of parked sales, or of unfinished ones if none is parked, which opens the list of both. Without any, only its key opens the list. */
export function WaitingSales({ terminal: { sale, stage, form } }: { terminal: Terminal }) {
  const { merchantId } = useMerchant();
  const { data = [], isPending } = useQuery(waitingOrdersQuery(merchantId));
  const [isOpen, setOpen] = useState(false);
  const waiting = data.filter(({ orderId }) => orderId !== sale.order?.orderId);
  const parked = waiting.filter(({ status }) => status === 'parked').length;
  const canResume = stage.kind === 'entry' && sale.order === null;
  const open = () => setOpen(true);
  useShortcuts(t('Sell'), [{ keys: KEYS, label: t('Parked sales'), run: open }]);
  const resume = (order: Order) => {
    setOpen(false);
    sale.resume(order);
    form.focus('amount');
  };
  return (
    <>
      {waiting.length > 0 && (
        <Button size="small" onClick={open}>
          {parked > 0 ? t('Parked: {{number}}', { number: parked }) : t('Unfinished: {{number}}', { number: waiting.length })}
        </Button>
      )}
      {isOpen && (
        <WaitingList orders={waiting} isLoading={isPending} canResume={canResume} onResume={resume} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface WaitingListProps {
  readonly orders: readonly Order[];
  readonly isLoading: boolean;
  readonly canResume: boolean;
  readonly onResume: (order: Order) => void;
  readonly onClose: () => void;
}

function WaitingList({ orders, isLoading, canResume, onResume, onClose }: WaitingListProps) {
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
      {orders.length === 0 && <Box role="status">{isLoading ? t('Loading…') : t('No sale is parked.')}</Box>}
      <Box component="ul" aria-label={t('Parked sales')} sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}>
        {orders.map((order) => (
          <Box component="li" key={order.orderId} sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box sx={{ fontWeight: 600 }}>{[order.name, order.number].filter(Boolean).join(', ')}</Box>
              <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
                {[
                  order.customerName,
                  order.status === 'parked' ? actorText(order.parkedBy ?? '') : t('not paid in full'),
                  formatDuration(now - Date.parse(order.parkedAt ?? order.createdAt)),
                ]
                  .filter(Boolean)
                  .join(', ')}
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
    </Dialog>
  );
}
