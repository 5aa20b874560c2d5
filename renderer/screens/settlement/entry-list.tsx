import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Entries of a drawer, one below the other. */
export function EntryList({ children }: { children: ReactNode }) {
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {children}
    </Box>
  );
}
