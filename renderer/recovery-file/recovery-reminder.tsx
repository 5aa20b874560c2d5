import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Link } from 'react-router';
import { useIsSandbox, useMay, useMe } from '#renderer/session';
import { keysQuery } from './requests.ts';

/** On every screen of a live account, until it is done: whoever could save the recovery file has not. */
export function RecoveryReminder() {
  const isSandbox = useIsSandbox();
  const { user } = useMe();
  const may = useMay();
  const isAsked = !isSandbox && user.role === 'owner' && may('settings:write');
  const { data: keys } = useQuery({ ...keysQuery, enabled: isAsked });
  if (!isAsked || !keys?.mayChange || keys.recoveryFileSavedAt !== null || keys.keptIn === 'memory') return null;
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
        color: theme.vars.palette.tone.warning.main,
        backgroundColor: theme.vars.palette.tone.warning.tint,
        '& a': { color: 'inherit' },
      })}
    >
      <KeyRound size={16} aria-hidden />
      <span>
        The recovery file is not saved yet. If this computer is lost, every stored card is lost with it.{' '}
        <Link to="/settings/security">Save it now</Link>
      </span>
    </Box>
  );
}
