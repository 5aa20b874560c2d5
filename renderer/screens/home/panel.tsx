import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

interface PanelProps {
  readonly title: string;
  /** Link beside the title. */
  readonly link?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the Home screen. */
export function Panel({ title, link, children }: PanelProps) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={(theme) => ({
        px: 4,
        py: 3,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
        breakInside: 'avoid',
      })}
    >
      <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 3, mb: 2 }}>
        <Typography variant="h3" component="h2" id={id}>
          {title}
        </Typography>
        {link}
      </Box>
      {children}
    </Box>
  );
}
