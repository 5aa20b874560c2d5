import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { fromMinor, toMinor } from '#renderer/base/money';
import { MoneyText } from '#renderer/kit/ui';

/** An amount of the API with its parts. */
interface AmountWithParts {
  readonly amount: number;
  readonly tipAmount: number;
  readonly surchargeAmount: number;
  readonly taxAmount: number;
  /** Taken off before the amount; absent for refunds, which have none. */
  readonly discountAmount?: number;
  readonly currency: string;
}

interface PartLine {
  readonly name: string;
  readonly amount: number;
}

/** Returns the base before the discount, the discount and the parts above 0 of an amount; empty if it has only a base. */
function linesOf({ amount, tipAmount, surchargeAmount, taxAmount, discountAmount = 0, currency }: AmountWithParts): PartLine[] {
  const parts = [
    { name: t('Sales tax'), amount: taxAmount },
    { name: t('Tip'), amount: tipAmount },
    { name: t('Surcharge'), amount: surchargeAmount },
  ].filter((part) => part.amount > 0);
  const discounts = discountAmount > 0 ? [{ name: t('Discount'), amount: -discountAmount }] : [];
  const lines = [...discounts, ...parts];
  if (lines.length === 0) return [];
  const baseMinor = lines.reduce((rest, line) => rest - toMinor(line.amount, currency), toMinor(amount, currency));
  return [{ name: t('Base amount'), amount: fromMinor(baseMinor, currency) }, ...lines];
}

/** Discount, tip, surcharge and tax of an amount on lines of their own; nothing for an amount without them. */
export function PartLines({ of, isRefund = false }: { of: AmountWithParts; isRefund?: boolean }) {
  const lines = linesOf(of);
  if (lines.length === 0) return null;
  return (
    <Box
      component="dl"
      aria-label={isRefund ? t('Parts of the refund') : t('Parts of the amount')}
      sx={{ m: 0, display: 'grid', gap: 1, fontSize: 13 }}
    >
      {lines.map(({ name, amount }) => (
        <Box key={name} sx={{ display: 'flex', justifyContent: 'space-between' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0 }}>
            <MoneyText amount={isRefund ? -amount : amount} currency={of.currency} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
