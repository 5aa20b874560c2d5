import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { Check } from 'lucide-react';
import { useState } from 'react';
import type { OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { toMinor, writeMoney } from '#renderer/base/money';
import { FailureNote, MoneyText } from '#renderer/kit/ui';
import { paymentText } from '#renderer/shared/orders';
import { CancelOrder } from './cancel-order.tsx';
import { payRefusalOf } from './queries.ts';
import type { SplitSale } from './use-split-sale.ts';

/** The order that the next payment pays: what remains, what was paid, and the parts into which it can be split. */
export function OrderPanel({ sale, order, frozen }: { sale: SplitSale; order: OrderDetail; frozen: boolean }) {
  const [isCanceling, setCanceling] = useState(false);
  const { currency, remainingAmount, amount, payments, lineItems } = order;
  const remaining = toMinor(remainingAmount, currency);
  const total = toMinor(amount, currency);
  const paid = payments.filter(({ state }) => state !== 'released');
  const parts = [
    { label: t('Half'), minor: Math.ceil(total / 2) },
    { label: t('Third'), minor: Math.ceil(total / 3) },
    { label: t('Everything'), minor: remaining },
  ];
  const refusal = payRefusalOf(order);
  return (
    <Box component="section" aria-label={t('Split sale')} sx={{ display: 'grid', gap: 2, pt: 2 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', color: 'text.secondary' }}>
        <span>{order.name ?? order.number}</span>
        <span>{t('of {{amount}}', { amount: writeMoney(amount, currency) })}</span>
      </Box>
      {refusal !== null && (
        <Alert severity="warning" role="status">
          {refusal}
        </Alert>
      )}
      <Box role="status">
        <Box sx={{ color: 'text.secondary' }}>{t('Remaining')}</Box>
        <Box sx={{ fontSize: 44, lineHeight: '52px', fontWeight: 650, letterSpacing: '-0.02em' }} data-remaining>
          <MoneyText amount={remainingAmount} currency={currency} />
        </Box>
      </Box>
      {paid.length > 0 && (
        <Box
          component="ul"
          aria-label={t('Payments of this sale')}
          sx={{ listStyle: 'none', m: 0, p: 0, fontSize: 13, fontVariantNumeric: 'tabular-nums' }}
        >
          {paid.map((payment) => (
            <Box component="li" key={payment.paymentId} sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
              <span>{paymentText(payment)}</span>
              <MoneyText amount={payment.amount} currency={currency} />
            </Box>
          ))}
        </Box>
      )}
      {lineItems.length > 1 && <OrderLines sale={sale} order={order} frozen={frozen} />}
      <Box role="group" aria-label={t('Part to pay')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {parts.map(({ label, minor }) => (
          <Button key={label} disabled={frozen} onClick={() => sale.take(Math.min(minor, remaining))}>
            {label}
          </Button>
        ))}
        <Button color="error" disabled={frozen} onClick={() => setCanceling(true)}>
          {t('Cancel sale')}
        </Button>
      </Box>
      {sale.failure && <FailureNote failure={sale.failure} />}
      {isCanceling && (
        <CancelOrder order={order} cash={sale.paidOutOf(order.orderId)} onCanceled={sale.canceled} onClose={() => setCanceling(false)} />
      )}
    </Box>
  );
}

interface OrderLinesProps {
  readonly sale: SplitSale;
  readonly order: OrderDetail;
  readonly frozen: boolean;
}

/** Lines of the order: the next payment pays the checked ones. Those that other payments pay say so, and cannot be checked. */
function OrderLines({ sale, order, frozen }: OrderLinesProps) {
  const { currency, lineItems, payments } = order;
  return (
    <Box role="group" aria-label={t('Lines of the next payment')} sx={{ display: 'grid' }}>
      {lineItems.map(({ description, amount, remainingAmount, paidBy }, index) => {
        const rest = writeMoney(remainingAmount, currency);
        const label =
          remainingAmount > 0 && remainingAmount < amount
            ? t('{{line}}, {{rest}} of {{amount}}', { line: description, rest, amount: writeMoney(amount, currency) })
            : `${description}, ${writeMoney(amount, currency)}`;
        const payers = payments.filter(({ paymentId }) => paidBy.includes(paymentId)).map(paymentText);
        const text = (
          <>
            {label}
            {payers.length > 0 && (
              <Box component="span" sx={{ display: 'block', fontSize: 13, color: 'text.secondary' }}>
                {remainingAmount > 0
                  ? t('Paid in part: {{payments}}', { payments: payers.join('; ') })
                  : t('Paid: {{payments}}', { payments: payers.join('; ') })}
              </Box>
            )}
          </>
        );
        if (remainingAmount === 0 && payers.length > 0)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: The lines of an order never change.
            <Box key={index} data-paid-line sx={{ display: 'flex', gap: 2, py: 1, color: 'text.secondary' }}>
              <Box component="span" sx={{ display: 'grid', placeItems: 'center start', width: 19, color: 'success.main' }}>
                <Check size={18} aria-hidden />
              </Box>
              <span>{text}</span>
            </Box>
          );
        return (
          <FormControlLabel
            // biome-ignore lint/suspicious/noArrayIndexKey: The lines of an order never change.
            key={index}
            disabled={frozen || remainingAmount === 0}
            control={<Checkbox size="small" checked={sale.lines.includes(index)} onChange={() => sale.toggleLine(index)} />}
            label={text}
          />
        );
      })}
    </Box>
  );
}
