import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** A record that can be a part of the line, with the fields of its amounts. */
export function PartRow({ name, facts, children }: { readonly name: ReactNode; readonly facts: ReactNode; readonly children: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      <Box sx={{ flex: 1, minWidth: 160, fontSize: 13 }}>
        {name}
        <Box sx={{ color: 'text.secondary' }}>{facts}</Box>
      </Box>
      {children}
    </Box>
  );
}
