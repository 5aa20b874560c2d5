import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { AddressBreaks } from './address-breaks.tsx';

/** List of names and values. Facts without a value are left out. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gridTemplateColumns: '136px minmax(0, 1fr)', columnGap: 4, rowGap: 1.5, fontSize: 13 }}
    >
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary', lineHeight: '24px' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, lineHeight: '24px', overflowWrap: 'anywhere' }}>
              {typeof value === 'string' ? <AddressBreaks text={value} /> : value}
            </Box>
          </Box>
        ))}
    </Box>
  );
}
