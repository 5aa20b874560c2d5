import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { MoneyText } from '#renderer/kit/ui';

interface TotalProps {
  readonly name: string;
  readonly amount: number;
  readonly currency: string;
  /** Rows of the total. */
  readonly countText: string;
  readonly action?: ReactNode;
}

/** Totals of the rows of a table. */
export function Total({ name, amount, currency, countText, action }: TotalProps) {
  return (
    <Box data-total sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1, minHeight: 36 }}>
      <span>{name}:</span>
      <MoneyText amount={amount} currency={currency} code sx={{ fontWeight: 600 }} />
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 13 }}>
        {countText}
      </Box>
      {action && <Box sx={{ marginInlineStart: 'auto' }}>{action}</Box>}
    </Box>
  );
}
