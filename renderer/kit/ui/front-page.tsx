import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';

/** A page without navigation and header: sign-in, lock screen, first run. */
export function FrontPage({ width, footer, children }: { width: number; footer?: ReactNode; children: ReactNode }) {
  return (
    <Box sx={{ minHeight: '100%', display: 'flex', flexDirection: 'column', alignItems: 'center', px: 4, py: 8 }}>
      <Box sx={{ flex: '0 1 12vh' }} />
      <Box component="main" sx={{ width: '100%', maxWidth: width }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2.5, mb: 5, fontSize: 16, fontWeight: 650, letterSpacing: '-0.01em' }}>
          <Logo size={28} />
          Paydesk
        </Box>
        <Box
          sx={(theme) => ({
            p: { xs: 5, sm: 8 },
            border: `1px solid ${theme.vars.palette.divider}`,
            borderRadius: 1,
            backgroundColor: theme.vars.palette.background.paper,
          })}
        >
          {children}
        </Box>
        {footer && <Box sx={{ mt: 4, fontSize: 12, color: 'text.secondary' }}>{footer}</Box>}
      </Box>
    </Box>
  );
}
