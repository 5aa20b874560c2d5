import Box from '@mui/material/Box';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A line above every screen about an outage or an unfinished task. */
export function Banner({ icon: Icon, tone, children }: { icon: LucideIcon; tone: 'error' | 'warning'; children: ReactNode }) {
  return (
    <Box
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        px: 6,
        py: 2,
        fontSize: 13,
        fontWeight: 500,
        color: theme.vars.palette.tone[tone].main,
        backgroundColor: theme.vars.palette.tone[tone].tint,
        '& a': { color: 'inherit' },
      })}
    >
      <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />
      <span>{children}</span>
    </Box>
  );
}
