import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface OutcomeHeaderProps {
  readonly tone: 'success' | 'warning' | 'neutral';
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Outcome of a charge as title, icon and color. */
export function OutcomeHeader({ tone, icon: Icon, title, children }: OutcomeHeaderProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 4 }}>
      <Box
        sx={(theme) => ({
          display: 'grid',
          placeItems: 'center',
          width: 64,
          height: 64,
          flex: 'none',
          borderRadius: '50%',
          color: theme.vars.palette.tone[tone].main,
          backgroundColor: theme.vars.palette.tone[tone].tint,
        })}
      >
        <Icon size={32} strokeWidth={1.9} aria-hidden />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Typography id="sale-result" variant="h1" component="h2" sx={(theme) => ({ color: theme.vars.palette.tone[tone].main })}>
          {title}
        </Typography>
        {children}
      </Box>
    </Box>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return (
    <Box
      component="dl"
      sx={(theme) => ({
        m: 0,
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fit, minmax(220px, 1fr))',
        columnGap: 8,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      {children}
    </Box>
  );
}

export function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 4,
        minHeight: 40,
        py: 1,
        ...(wide && { gridColumn: '1 / -1' }),
        borderBottom: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <Box component="dt" sx={{ color: 'text.secondary', flex: 'none' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, textAlign: 'end', minWidth: 0 }}>
        {children}
      </Box>
    </Box>
  );
}
