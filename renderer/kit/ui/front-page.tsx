import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

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

/** Logo of the product; hidden from screen readers beside the name. */
function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="6" fill="#0f5c73" />
      <path d="M9 23V9h8.2a4.9 4.9 0 0 1 0 9.8H13" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
      <path d="M18 23h5" stroke="#6cc3d8" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
