import Box from '@mui/material/Box';
import { Clock, TriangleAlert } from 'lucide-react';
import { daysBetween, expiryText } from './texts.ts';

/** Remaining validity of a card, or the time since its expiry: icon, text and color. */
export function ExpiryNote({ lastDay, today }: { lastDay: string; today: string }) {
  const isOver = daysBetween(today, lastDay) < 0;
  const Icon = isOver ? TriangleAlert : Clock;
  return (
    <Box
      component="span"
      sx={(theme) => ({
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        whiteSpace: 'nowrap',
        color: theme.vars.palette.tone[isOver ? 'error' : 'warning'].main,
      })}
    >
      <Icon size={13} strokeWidth={2.25} aria-hidden />
      {expiryText(lastDay, today)}
    </Box>
  );
}
