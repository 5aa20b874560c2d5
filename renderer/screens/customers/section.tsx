import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Section as NamedSection, Quiet } from '#renderer/ui';

/** A list in the drawer under its name, with what is said when it is empty. */
export function Section({ title, empty, children }: { title: string; empty: ReactNode; children: ReactNode[] }) {
  return (
    <NamedSection title={title}>
      {children.length === 0 ? (
        <Quiet>{empty}</Quiet>
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {children}
        </Box>
      )}
    </NamedSection>
  );
}
