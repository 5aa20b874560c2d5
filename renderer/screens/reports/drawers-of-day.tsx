import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Link as RouterLink } from 'react-router';
import type { DailySummary } from '#renderer/client';
import { useMay } from '#renderer/session';
import { MoneyText } from '#renderer/ui';
import { drawerSums, shiftCounts } from './drawer-sums.ts';

/** Cash drawers of a day: the sums of all shifts, and each closed shift with its variance. Empty without shifts. */
export function DrawersOfDay({ summary }: { summary: DailySummary }) {
  const id = useId();
  const mayOpen = useMay()('shifts:read');
  const { currency, shifts } = summary;
  const sums = drawerSums(summary);
  if (sums.length === 0) return null;
  return (
    <Box component="section" aria-labelledby={id} sx={{ fontSize: 13 }}>
      <Typography variant="h3" id={id} sx={{ mb: 1.5 }}>
        Cash drawers
        <Box component="span" sx={{ fontWeight: 400, color: 'text.secondary' }}>
          , {currency}. Shifts: {shiftCounts(summary)}
        </Box>
      </Typography>
      <Box
        component="dl"
        sx={(theme) => ({
          m: 0,
          py: 2,
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 8,
          rowGap: 2,
          borderTop: `1px solid ${theme.vars.palette.divider}`,
        })}
      >
        {sums.map(([name, amount]) => (
          <Box key={name}>
            <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, fontWeight: 600 }}>
              <MoneyText amount={amount} currency={currency} />
            </Box>
          </Box>
        ))}
      </Box>
      {shifts.closed.map(({ shiftId, zNumber, drawer, closedBy, countedAmount, varianceAmount }) => (
        <Box
          key={shiftId}
          sx={(theme) => ({
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr) auto auto',
            columnGap: 6,
            py: 1.5,
            borderTop: `1px solid ${theme.vars.palette.divider}`,
          })}
        >
          <span>
            {mayOpen ? (
              <Link component={RouterLink} to={`/cash/${shiftId}?tab=shifts`}>
                Z report {zNumber}
              </Link>
            ) : (
              `Z report ${zNumber}`
            )}
            {` · ${drawer} · ${closedBy}`}
          </span>
          <span>
            Counted <MoneyText amount={countedAmount} currency={currency} />
          </span>
          <span>
            Variance <MoneyText amount={varianceAmount} currency={currency} sx={{ fontWeight: 600 }} />
          </span>
        </Box>
      ))}
    </Box>
  );
}
