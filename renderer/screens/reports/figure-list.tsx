import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';

/** A figure of a report. */
export interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** Value of the compared period with the change; empty without one. */
  readonly comparison: string;
  /** Address of the records of the figure. */
  readonly to?: string | undefined;
}

interface FigureListProps {
  readonly label: string;
  readonly figures: readonly Figure[];
  /** Further figures in smaller type, below the others. */
  readonly details?: readonly Figure[];
  /** A note below the figures. */
  readonly children?: ReactNode;
}

/** Largest number of figures of a row. */
const COLUMNS_MAX = 6;

/** Figures in rows of equal columns, each with its comparison. */
export function FigureList({ label, figures, details = [], children }: FigureListProps) {
  const isCompared = [...figures, ...details].some(({ comparison }) => comparison !== '');
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
      <Figures figures={figures} isCompared={isCompared} fontSize={20} />
      {details.length > 0 && (
        <Box sx={(theme) => ({ mt: 3, pt: 3, borderTop: `1px solid ${theme.vars.palette.divider}` })}>
          <Figures figures={details} isCompared={isCompared} fontSize={15} />
        </Box>
      )}
      {children}
    </Box>
  );
}

interface FiguresProps {
  readonly figures: readonly Figure[];
  readonly isCompared: boolean;
  readonly fontSize: number;
}

function Figures({ figures, isCompared, fontSize }: FiguresProps) {
  const columns = Math.min(figures.length, COLUMNS_MAX);
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        // A row is never left with a single figure beside full rows, except on a phone.
        gridTemplateColumns: {
          xs: 'repeat(2, minmax(0, 1fr))',
          md: `repeat(${columns % 3 === 0 || columns === 5 ? 3 : Math.min(columns, 4)}, minmax(0, 1fr))`,
          lg: `repeat(${columns}, minmax(0, 1fr))`,
        },
        columnGap: 4,
        rowGap: 3,
      }}
    >
      {figures.map(({ name, value, comparison, to }) => (
        // The parts of the figures of a row are aligned, also if a name needs two lines.
        <Box key={name} sx={{ display: 'grid', gridTemplateRows: 'subgrid', gridRow: `span ${isCompared ? 3 : 2}`, rowGap: 0 }}>
          <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {name}
          </Box>
          <Box
            component="dd"
            sx={{ m: 0, fontSize: { xs: 16, sm: fontSize }, fontWeight: 600, lineHeight: '28px', fontVariantNumeric: 'tabular-nums' }}
          >
            {to === undefined ? (
              value
            ) : (
              <Link component={RouterLink} to={to} aria-label={name}>
                {value}
              </Link>
            )}
          </Box>
          {isCompared && (
            <Box component="dd" sx={{ m: 0, fontSize: 12, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
              {comparison && t('vs. {{figure}}', { figure: comparison })}
            </Box>
          )}
        </Box>
      ))}
    </Box>
  );
}
