import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { Check } from 'lucide-react';
import type { OrderDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { paymentText } from '#renderer/shared/orders';
import type { SplitSale } from './use-split-sale.ts';

interface OrderLinesProps {
  readonly sale: SplitSale;
  readonly order: OrderDetail;
  readonly frozen: boolean;
}

/** Lines of the order: the next payment pays the checked ones. Those that other payments pay say so, and cannot be checked. */
export function OrderLines({ sale, order, frozen }: OrderLinesProps) {
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
