import Box from '@mui/material/Box';
import { useContext } from 'react';
import { writeMoney } from '#renderer/base/money';
import { NarrowListContext } from './narrow-list.ts';

interface TotalsProps {
  /** Name of the amounts: "Taken, less refunds". */
  readonly label: string;
  /** Name in a list too narrow for it. */
  readonly shortLabel?: string;
  /** Totals of the filter by currency; undefined while they are counted. */
  readonly totals: readonly { readonly currency: string; readonly count: number; readonly amount: number }[] | undefined;
}

/** Totals of the filter of a list, which the service counts over all pages. */
export function Totals({ label, shortLabel = label, totals }: TotalsProps) {
  const isNarrow = useContext(NarrowListContext);
  if (totals === undefined || totals.length === 0) return null;
  const isMixed = totals.length > 1;
  return (
    <Box component="span" data-total title={isNarrow ? label : undefined} sx={{ color: 'text.secondary' }}>
      {isNarrow ? shortLabel : label}:{' '}
      <Box component="strong" className="figures" sx={{ color: 'text.primary' }}>
        {totals.map(({ currency, count, amount }) => `${writeMoney(amount, currency)}${isMixed ? ` (${count})` : ''}`).join(' · ')}
      </Box>
    </Box>
  );
}
