import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

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
    <Box
      component="section"
      aria-label={label}
      sx={{
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
      }}
    >
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
