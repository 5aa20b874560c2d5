import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useState } from 'react';
import type { OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, toMinor, writeMoney } from '#renderer/base/money';
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
      {lineItems.length > 1 && <LineParts key={order.orderId} sale={sale} order={order} remaining={remaining} frozen={frozen} />}
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

interface LinePartsProps {
  readonly sale: SplitSale;
  readonly order: OrderDetail;
  readonly remaining: number;
  readonly frozen: boolean;
}

/** Lines of the order, of which the next payment pays the checked ones. */
function LineParts({ sale, order, remaining, frozen }: LinePartsProps) {
  const [checked, setChecked] = useState<ReadonlySet<number>>(new Set());
  const { currency, lineItems } = order;
  const toggle = (index: number) => {
    const next = new Set(checked);
    if (!next.delete(index)) next.add(index);
    setChecked(next);
    const sum = lineItems.reduce((minor, line, at) => minor + (next.has(at) ? toMinor(line.amount, currency) : 0), 0);
    if (sum > 0) sale.take(Math.min(sum, remaining));
  };
  return (
    <Box role="group" aria-label={t('Lines of the next payment')} sx={{ display: 'grid' }}>
      {lineItems.map((line, index) => (
        <FormControlLabel
          // biome-ignore lint/suspicious/noArrayIndexKey: The lines of an order never change.
          key={index}
          disabled={frozen}
          control={<Checkbox size="small" checked={checked.has(index)} onChange={() => toggle(index)} />}
          label={`${line.description}, ${writeMoney(decimalText(toMinor(line.amount, currency), currency), currency)}`}
        />
      ))}
    </Box>
  );
}
