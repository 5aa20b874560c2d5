import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { Minus, Plus } from 'lucide-react';
import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoneyText } from '#renderer/kit/ui';
import { type Quantities, quantityOf, quantityText } from './returned-items.ts';

const ONE = 1_000;

interface ReturnedItemsFieldsProps {
  readonly transaction: Transaction;
  readonly before: Quantities;
  readonly chosen: Quantities;
  readonly onChosen: (chosen: Quantities) => void;
}

/** Choice of the items that the customer brings back, with their quantities. */
export function ReturnedItemsFields({ transaction: { lineItems, currency }, before, chosen, onChosen }: ReturnedItemsFieldsProps) {
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ p: 0, mb: 1, fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>
        {t('Items returned')}
      </Box>
      {lineItems.map((line, index) => {
        const left = quantityOf(line) - (before[index] ?? 0);
        const quantity = chosen[index] ?? 0;
        const set = (next: number) => {
          const { [index]: _, ...others } = chosen;
          onChosen(next > 0 ? { ...others, [index]: next } : others);
        };
        return (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a sale never change.
            key={index}
            sx={(theme) => ({
              display: 'flex',
              alignItems: 'center',
              gap: 2,
              minHeight: 40,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
            })}
          >
            <IconButton
              size="small"
              disabled={quantity === 0}
              onClick={() => set(quantity - Math.min(ONE, quantity))}
              aria-label={t('Return one less of {{description}}', { description: line.description })}
            >
              <Minus size={14} aria-hidden />
            </IconButton>
            <Box component="output" sx={{ minWidth: 44, textAlign: 'center', fontVariantNumeric: 'tabular-nums' }}>
              {t('{{quantity}} of {{all}}', { quantity: quantityText(quantity), all: quantityText(left) })}
            </Box>
            <IconButton
              size="small"
              disabled={quantity >= left}
              onClick={() => set(quantity + Math.min(ONE, left - quantity))}
              aria-label={t('Return one more of {{description}}', { description: line.description })}
            >
              <Plus size={14} aria-hidden />
            </IconButton>
            <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{line.description}</Box>
            <MoneyText amount={line.amount} currency={currency} />
          </Box>
        );
      })}
    </Box>
  );
}
