import Box from '@mui/material/Box';
import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { type Health, useHealth } from '#renderer/client';
import { announce } from '#renderer/ui';

const WORDS: Partial<Record<Health, string>> = {
  unreachable:
    'The service on this machine does not answer. What you have typed stays here; it goes on by itself when the service is back.',
  'database-down': 'The service is there, but its database does not answer. Payments wait until it does.',
};

/** Names the part that is down, on every screen, until it is up again. */
export function DegradedBanner() {
  const { health } = useHealth();
  const words = WORDS[health];
  useEffect(() => {
    if (words) announce(words);
  }, [words]);
  if (!words) return null;
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
        color: theme.vars.palette.tone.error.main,
        backgroundColor: theme.vars.palette.tone.error.tint,
      })}
    >
      <CloudOff size={16} aria-hidden />
      {words}
    </Box>
  );
}
