import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { decimalText, writeAmount } from '#renderer/base/money';
import { announce, FormDialog, focusField, useAfterRender, useFocusAfterChoice } from '#renderer/kit/ui';
import { type Discount, type DiscountKind, readDiscount } from '../form/discount.ts';
import { basketAmounts, type DiscountedPrice, discountedPrice } from '../items/basket.ts';
import type { Basket } from '../items/use-basket.ts';

interface DiscountDialogProps {
  readonly basket: Basket;
  /** The amount as typed. */
  readonly amount: string;
  readonly currency: string;
  /** Applies a discount to a line or to the whole sale; null removes it. `before` is the former one. */
  readonly onApply: (lineId: number | null, discount: Discount | null, before: Discount | null) => void;
  readonly onClose: () => void;
}

const FIELD = 'sale-discount';
/** Value of the choice of the whole sale; a line has its number. */
const WHOLE_SALE = '';

/** Takes a percentage or an amount off the whole sale, or off one of its lines. Mounted while it is open. */
export function DiscountDialog({ basket, amount, currency, onApply, onClose }: DiscountDialogProps) {
  const afterRender = useAfterRender();
  const targetHandlers = useFocusAfterChoice(() => focusField(FIELD));
  const [target, setTarget] = useState(WHOLE_SALE);
  const lineId = target === WHOLE_SALE ? null : Number(target);
  const given = discountOf(basket, lineId);
  const [kind, setKind] = useState<DiscountKind>(given?.kind ?? 'percent');
  const [text, setText] = useState(textOf(given, currency));
  const [isChecked, setChecked] = useState(false);
  const read = readDiscount(text, kind, currency);
  const price = 'problem' in read ? null : priceWith(basket, lineId, read, amount, currency);
  const problem = 'problem' in read ? read.problem : problemOf(price, read);
  const money = (minor: number) => writeAmount(decimalText(minor, currency), currency);

  const choose = (next: string) => {
    const discount = discountOf(basket, next === WHOLE_SALE ? null : Number(next));
    setTarget(next);
    setKind(discount?.kind ?? kind);
    setText(textOf(discount, currency));
    setChecked(false);
  };
  const apply = (discount: Discount | null) => {
    onApply(lineId, discount, given);
    announce(discount === null ? t('Discount removed.') : t('Discount applied.'));
    onClose();
  };
  const submit = () => {
    setChecked(true);
    if ('problem' in read || problem !== null) return focusField(FIELD);
    apply(read);
  };
  return (
    <FormDialog
      title={t('Discount')}
      submitLabel={t('Apply discount')}
      onSubmit={submit}
      onClose={onClose}
      maxWidth="xs"
      more={given !== null && <Button onClick={() => apply(null)}>{t('Remove discount')}</Button>}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {basket.lines.length > 0 && (
          <TextField
            select
            label={t('Applies to')}
            value={target}
            onChange={(event) => choose(event.target.value)}
            slotProps={{ select: { displayEmpty: true, ...targetHandlers }, inputLabel: { shrink: true } }}
          >
            <MenuItem value={WHOLE_SALE}>{t('Whole sale')}</MenuItem>
            {basket.lines
              .filter(({ giftCard }) => giftCard === undefined)
              .map((line) => (
                <MenuItem key={line.id} value={String(line.id)}>
                  {line.description}
                </MenuItem>
              ))}
          </TextField>
        )}
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label={t('Kind of discount')}
          value={kind}
          onChange={(_, next: DiscountKind | null) => {
            if (next === null) return;
            setKind(next);
            afterRender(() => focusField(FIELD));
          }}
        >
          <ToggleButton value="percent">{t('Percent')}</ToggleButton>
          <ToggleButton value="amount">{t('Amount')}</ToggleButton>
        </ToggleButtonGroup>
        <TextField
          id={FIELD}
          label={kind === 'percent' ? t('Discount, %') : t('Discount, {{currency}}', { currency })}
          value={text}
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
          error={isChecked && problem !== null}
          helperText={
            (isChecked && problem) ||
            (price === null
              ? t('Taken off before tax, tip and surcharge.')
              : `${money(price.priceMinor)} − ${money(price.discountMinor)} = ${money(price.priceMinor - price.discountMinor)}`)
          }
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
        />
      </Box>
    </FormDialog>
  );
}

const discountOf = ({ lines, discount }: Basket, lineId: number | null): Discount | null =>
  lineId === null ? discount : (lines.find(({ id }) => id === lineId)?.discount ?? null);

/** Returns the price of the sale or line with a discount in place of its former one; null while it is not known. */
function priceWith(basket: Basket, lineId: number | null, discount: Discount, amount: string, currency: string): DiscountedPrice | null {
  if (lineId === null) {
    const { lines } = basket;
    return discountedPrice({ lines, discount, amounts: basketAmounts(lines, discount) }, amount, currency);
  }
  const line = basket.lines.find(({ id }) => id === lineId);
  if (line === undefined) return null;
  const lines = [{ ...line, discount }];
  return discountedPrice({ lines, discount: null, amounts: basketAmounts(lines) }, amount, currency);
}

/** Returns the problem of a discount that is higher than the price; null if it fits or the price is not known yet. */
function problemOf(price: DiscountedPrice | null, discount: Discount): string | null {
  const isTooHigh = price !== null && discount.kind === 'amount' && discount.minor > price.priceMinor;
  return isTooHigh ? t('The discount is more than the price.') : null;
}

function textOf(discount: Discount | null, currency: string): string {
  if (discount === null) return '';
  return discount.kind === 'amount' ? decimalText(discount.minor, currency) : String(discount.rate / 1_000);
}
