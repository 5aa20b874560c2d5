import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { MutedText, Section as NamedSection } from '#renderer/kit/ui';

/** A list in the drawer with its title and the text for an empty list. */
export function Section({ title, empty, children }: { title: string; empty?: ReactNode; children: ReactNode[] }) {
  return (
    <NamedSection title={title}>
      {children.length === 0 ? (
        <MutedText>{empty}</MutedText>
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {children}
        </Box>
      )}
    </NamedSection>
  );
}
