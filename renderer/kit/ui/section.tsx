import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useIsOnPage } from './shortcuts.tsx';

/** A named part of a page, or of a record or dialog, whose name has the second level. */
export function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  const isOnPage = useIsOnPage();
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography variant="h3" component={isOnPage ? 'h2' : 'h3'} id={id} sx={{ mb: 2 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

/** Secondary text, such as for an empty section. */
export function MutedText({ children }: { children: ReactNode }) {
  return <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{children}</Box>;
}

/** One entry of a list in a section. */
export function Entry({ children }: { children: ReactNode }) {
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
