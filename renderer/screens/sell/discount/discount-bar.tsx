import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { decimalText, writeAmount } from '#renderer/money';
import { KeyHint, useShortcuts } from '#renderer/ui';
import type { Terminal } from '../use-terminal.ts';
import { DiscountDialog } from './discount-dialog.tsx';
import { discountedPrice } from './price.ts';

const DISCOUNT_KEYS = 'Mod+D';

/** Button that takes a discount off the sale, and the price before and after it. */
export function DiscountBar({ terminal }: { terminal: Terminal }) {
  const { basket, form, rules, stage } = terminal;
  const frozen = stage.kind !== 'entry';
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useShortcuts('Sell', frozen ? [] : [{ keys: DISCOUNT_KEYS, label: 'Discount', run: open }]);
  const price = discountedPrice(basket, form.amount, rules.currency);
  const text = (minor: number) => writeAmount(decimalText(minor, rules.currency), rules.currency);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, mt: -4 }}>
      <Button
        variant="text"
        size="small"
        disabled={frozen}
        onClick={open}
        endIcon={<KeyHint keys={DISCOUNT_KEYS} />}
        aria-keyshortcuts="Control+D"
        sx={{ ml: -2.5, color: 'text.secondary' }}
      >
        Discount
      </Button>
      {price !== null && price.discountMinor > 0 && (
        <Box component="span" data-discount sx={{ fontSize: 13, fontVariantNumeric: 'tabular-nums' }}>
          {`${text(price.priceMinor)} − ${text(price.discountMinor)} = ${text(price.priceMinor - price.discountMinor)}`}
        </Box>
      )}
      {isOpen && <DiscountDialog basket={basket} amount={form.amount} currency={rules.currency} onClose={() => setOpen(false)} />}
    </Box>
  );
}
