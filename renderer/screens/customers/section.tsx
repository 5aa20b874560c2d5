import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** A named part of the drawer, with what is said when it is empty. */
export function Section({ title, empty, children }: { title: string; empty: ReactNode; children: ReactNode[] }) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography variant="h3" id={id} sx={{ mb: 2 }}>
        {title}
      </Typography>
      {children.length === 0 ? (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{empty}</Box>
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {children}
        </Box>
      )}
    </Box>
  );
}

/** One line of a section. */
export function Line({ children }: { children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 1,
        py: 2,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      {children}
    </Box>
  );
}
