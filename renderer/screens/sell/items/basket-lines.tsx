import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import { Gift, Minus, Plus, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { t } from '#renderer/base/language';
import { decimalText, writeAmount } from '#renderer/base/money';
import { type LineAmounts, readQuantity, THOUSANDTHS } from '#shared/line-items';
import { WIDE } from '../layout.ts';
import { type BasketLine, quantityText } from './basket.ts';
import type { Basket } from './use-basket.ts';

interface BasketLinesProps {
  readonly basket: Basket;
  readonly currency: string;
  readonly frozen: boolean;
}

/** The lines take the room that the rest of the ticket leaves; in a narrow window, where the page scrolls, as much as they need. */
const LINES = {
  m: 0,
  p: 0,
  listStyle: 'none',
  [WIDE]: { '&&': { flex: '1 1 0' }, minHeight: 46, overflow: 'auto' },
} as const;

/** Lines of the sale with their quantities. */
export function BasketLines({ basket, currency, frozen }: BasketLinesProps) {
  return (
    <Box component="ul" aria-label={t('Lines of the sale')} sx={LINES}>
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
  const { id, description } = line;
  const remove = () => !frozen && basket.remove(id);
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key !== 'Backspace' && event.key !== 'Delete') || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    event.stopPropagation();
    remove();
  };
  return (
    <Box
      component="li"
      onKeyDown={onKeyDown}
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr) auto 28px',
        alignItems: 'center',
        columnGap: 2,
        minHeight: 45,
        borderBottom: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      {line.giftCard === undefined ? (
        <QuantityField line={line} amounts={amounts} basket={basket} frozen={frozen} />
      ) : (
        <Gift size={16} aria-hidden />
      )}
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ fontSize: 14, lineHeight: '18px', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {description}
        </Box>
        <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>{detailOf(line, amounts, currency)}</Box>
      </Box>
      <Box sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
        {amounts === null ? '–' : writeAmount(decimalText(amounts.amountMinor, currency), currency)}
      </Box>
      <IconButton size="small" aria-label={t('Remove {{description}}', { description })} disabled={frozen} onClick={remove}>
        <X size={16} aria-hidden />
      </IconButton>
    </Box>
  );
}

/** Quantity of a line with buttons that change it by one; one less of one removes the line. */
function QuantityField({ line, amounts, basket, frozen }: Omit<LineRowProps, 'currency'>) {
  const { id, description } = line;
  const step = (by: number) => {
    const next = (readQuantity(line.quantity.trim()) ?? 0) + by * THOUSANDTHS;
    if (next > 0) basket.setQuantity(id, quantityText(next));
    else basket.remove(id);
  };
  return (
    <Box sx={(theme) => ({ display: 'flex', alignItems: 'center', border: `1px solid ${theme.vars.palette.outline}`, borderRadius: 1 })}>
      <IconButton size="small" disabled={frozen} onClick={() => step(-1)} aria-label={t('One less of {{description}}', { description })}>
        <Minus size={14} aria-hidden />
      </IconButton>
      <InputBase
        value={line.quantity}
        onChange={({ target }) => basket.setQuantity(id, target.value)}
        error={amounts === null}
        readOnly={frozen}
        sx={{ width: 34, fontSize: 14, '&.Mui-error': { color: 'error.main' } }}
        inputProps={{
          'aria-label': t('Quantity of {{description}}', { description }),
          'aria-invalid': amounts === null,
          inputMode: 'decimal',
          autoComplete: 'off',
          maxLength: 13,
          style: { padding: '4px 0', textAlign: 'center', fontVariantNumeric: 'tabular-nums' },
        }}
      />
      <IconButton size="small" disabled={frozen} onClick={() => step(1)} aria-label={t('One more of {{description}}', { description })}>
        <Plus size={14} aria-hidden />
      </IconButton>
    </Box>
  );
}

/** Describes the unit price, the discount and the tax of a line. */
function detailOf({ unitMinor, taxIncluded, giftCard }: BasketLine, amounts: LineAmounts | null, currency: string): string {
  if (giftCard !== undefined) return t('without tax');
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
