import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { MoneyText } from '#renderer/kit/ui';

interface SumPart {
  readonly name: string;
  readonly amount: number;
  /** True for a deduction. */
  readonly isLess?: boolean;
  readonly isTotal?: boolean;
  /** Address of the list of its parts. */
  readonly to?: string | undefined;
}

/** A calculation with one part per line and the total below a rule. */
export function Sum({ label, parts, currency }: { label: string; parts: readonly SumPart[]; currency: string }) {
  return (
    <Box component="dl" aria-label={label} sx={{ m: 0, maxWidth: 360 }}>
      {parts.map(({ name, amount, isLess = false, isTotal = false, to }) => (
        <Box
          key={name}
          data-part={name}
          sx={(theme) => ({
            display: 'flex',
            justifyContent: 'space-between',
            columnGap: 4,
            lineHeight: '28px',
            ...(isTotal && { borderTop: `1px solid ${theme.vars.palette.outline}`, fontWeight: 600 }),
          })}
        >
          <Box component="dt" sx={{ color: isTotal ? 'text.primary' : 'text.secondary' }}>
            {to ? (
              <Link component={RouterLink} to={to}>
                {name}
              </Link>
            ) : (
              name
            )}
          </Box>
          <Box component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
            {isLess && '− '}
            <MoneyText amount={amount} currency={currency} code={isTotal} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
