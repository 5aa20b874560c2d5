import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import type { ReactNode } from 'react';

const FRAME = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 6,
  rowGap: 2,
  px: 4,
  py: 3,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  backgroundColor: 'background.paper',
} as const;

interface FigureStripProps {
  /** Accessible name. */
  readonly label: string;
  readonly figures: readonly {
    readonly name: string;
    readonly value: ReactNode;
    /** Text below the value. */
    readonly note?: string;
  }[];
  /** Fields or texts at the end. */
  readonly children?: ReactNode;
}

/** Figures of a screen in one framed row. */
export function FigureStrip({ label, figures, children }: FigureStripProps) {
  return (
    <Box component="section" aria-label={label} sx={FRAME}>
      {figures.map(({ name, value, note }) => (
        <Box key={name} data-figure={name}>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
          <Box className="figures" sx={{ fontSize: 18, fontWeight: 600, lineHeight: '26px' }}>
            {value}
          </Box>
          {note && <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{note}</Box>}
        </Box>
      ))}
      {children && <Box sx={{ marginInlineStart: { md: 'auto' } }}>{children}</Box>}
    </Box>
  );
}

/** Figures before they are there. */
export function FigureStripSkeleton() {
  return (
    <Box sx={FRAME}>
      {[1, 2, 3, 4].map((figure) => (
        <Box key={figure} sx={{ width: 120 }}>
          <Skeleton height={16} width="70%" />
          <Skeleton height={26} />
        </Box>
      ))}
    </Box>
  );
}
