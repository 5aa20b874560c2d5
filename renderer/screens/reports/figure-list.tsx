import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';

/** A figure of a report. */
export interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** Value of the compared period with the change; empty without one. */
  readonly comparison: string;
}

interface FigureListProps {
  readonly label: string;
  readonly figures: readonly Figure[];
  /** A note below the figures. */
  readonly children?: ReactNode;
}

/** Figures in a row, each with its comparison. */
export function FigureList({ label, figures, children }: FigureListProps) {
  const isCompared = figures.some(({ comparison }) => comparison !== '');
  return (
    <Box
      component="section"
      aria-label={label}
      sx={(theme) => ({
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        px: 4,
        py: 3,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 8, rowGap: 3 }}>
        {figures.map(({ name, value, comparison }) => (
          <Box key={name}>
            <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, fontSize: 20, fontWeight: 600, lineHeight: '28px', fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Box>
            {isCompared && (
              <Box component="dd" sx={{ m: 0, fontSize: 12, color: 'text.secondary', fontVariantNumeric: 'tabular-nums', minHeight: 16 }}>
                {comparison && t('vs. {{figure}}', { figure: comparison })}
              </Box>
            )}
          </Box>
        ))}
      </Box>
      {children}
    </Box>
  );
}
