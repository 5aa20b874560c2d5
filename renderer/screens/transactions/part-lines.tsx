import Box from '@mui/material/Box';
import { fromMinor, toMinor } from '#renderer/money';
import { MoneyText } from '#renderer/ui';

/** An amount of the API with its parts. */
interface AmountWithParts {
  readonly amount: number;
  readonly tipAmount: number;
  readonly surchargeAmount: number;
  readonly taxAmount: number;
  readonly currency: string;
}

interface PartLine {
  readonly name: string;
  readonly amount: number;
}

/** Returns the base and the parts above 0 of an amount; empty if it has no parts. */
function linesOf({ amount, tipAmount, surchargeAmount, taxAmount, currency }: AmountWithParts): PartLine[] {
  const parts = [
    { name: 'Sales tax', amount: taxAmount },
    { name: 'Tip', amount: tipAmount },
    { name: 'Surcharge', amount: surchargeAmount },
  ].filter((part) => part.amount > 0);
  if (parts.length === 0) return [];
  const baseMinor = parts.reduce((rest, part) => rest - toMinor(part.amount, currency), toMinor(amount, currency));
  return [{ name: 'Base amount', amount: fromMinor(baseMinor, currency) }, ...parts];
}

/** Tip, surcharge and tax of an amount on lines of their own; nothing for an amount without them. */
export function PartLines({ of, isRefund = false }: { of: AmountWithParts; isRefund?: boolean }) {
  const lines = linesOf(of);
  if (lines.length === 0) return null;
  return (
    <Box
      component="dl"
      aria-label={isRefund ? 'Parts of the refund' : 'Parts of the amount'}
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
