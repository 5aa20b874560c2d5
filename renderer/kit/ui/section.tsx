import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useIsOnPage } from './shortcuts.tsx';

/** Title of a part of a page, or of a record or dialog, whose name has the second level. */
export function SectionTitle({ id, sx, children }: { readonly id?: string; readonly sx?: SxProps<Theme>; readonly children: ReactNode }) {
  const level = useIsOnPage() ? 'h2' : 'h3';
  return (
    <Typography variant="h3" component={level} id={id} sx={sx ?? null}>
      {children}
    </Typography>
  );
}

/** A named part of a page, a record or a dialog. */
export function Section({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <SectionTitle id={id} sx={{ mb: 2 }}>
        {title}
      </SectionTitle>
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
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 1,
        py: 2,
        fontSize: 13,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {children}
    </Box>
  );
}
