import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import { X } from 'lucide-react';
import { t } from '#renderer/base/language';
import { decimalText, writeAmount } from '#renderer/base/money';
import type { LineAmounts } from '#shared/line-items';
import type { BasketLine } from './basket.ts';
import type { Basket } from './use-basket.ts';

interface BasketLinesProps {
  readonly basket: Basket;
  readonly currency: string;
  readonly frozen: boolean;
}

/** Lines of the sale with their quantities; nothing without lines. */
export function BasketLines({ basket, currency, frozen }: BasketLinesProps) {
  if (basket.lines.length === 0) return null;
  return (
    <Box
      component="ul"
      aria-label={t('Lines of the sale')}
      sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 264, overflow: 'auto', flex: 'none' }}
    >
      {basket.lines.map((line, index) => (
        <LineRow key={line.id} line={line} amounts={basket.amounts[index] ?? null} basket={basket} currency={currency} frozen={frozen} />
      ))}
    </Box>
  );
}

interface LineRowProps extends BasketLinesProps {
  readonly line: BasketLine;
  readonly amounts: LineAmounts | null;
}

function LineRow({ line, amounts, basket, currency, frozen }: LineRowProps) {
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: '56px minmax(0, 1fr) auto 32px',
        alignItems: 'center',
        columnGap: 2,
        minHeight: 44,
        py: 1,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <TextField
        size="small"
        value={line.quantity}
        onChange={({ target }) => basket.setQuantity(line.id, target.value)}
        error={amounts === null}
        slotProps={{
          input: { readOnly: frozen },
          htmlInput: {
            'aria-label': t('Quantity of {{description}}', { description: line.description }),
            inputMode: 'decimal',
            autoComplete: 'off',
            maxLength: 13,
            style: { padding: '4px 8px' },
          },
        }}
      />
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ fontSize: 13, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{line.description}</Box>
        <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>{detailOf(line, amounts, currency)}</Box>
      </Box>
      <Box sx={{ fontWeight: 550, fontVariantNumeric: 'tabular-nums' }}>
        {amounts === null ? '–' : writeAmount(decimalText(amounts.amountMinor, currency), currency)}
      </Box>
      <IconButton
        size="small"
        aria-label={t('Remove {{description}}', { description: line.description })}
        disabled={frozen}
        onClick={() => basket.remove(line.id)}
      >
        <X size={16} aria-hidden />
      </IconButton>
    </Box>
  );
}

/** Describes the unit price, the discount and the tax of a line. */
function detailOf({ unitMinor, taxIncluded }: BasketLine, amounts: LineAmounts | null, currency: string): string {
  const money = (minor: number) => writeAmount(decimalText(minor, currency), currency);
  const { discountMinor = 0, taxMinor = 0 } = amounts ?? {};
  const values = { price: money(unitMinor), discount: money(discountMinor), tax: money(taxMinor) };
  if (discountMinor === 0 && taxMinor === 0) return t('{{price}} each', values);
  if (taxMinor === 0) return t('{{price}} each, discount {{discount}}', values);
  if (discountMinor === 0)
    return taxIncluded ? t('{{price}} each, incl. tax {{tax}}', values) : t('{{price}} each, plus tax {{tax}}', values);
  return taxIncluded
    ? t('{{price}} each, discount {{discount}}, incl. tax {{tax}}', values)
    : t('{{price}} each, discount {{discount}}, plus tax {{tax}}', values);
}
