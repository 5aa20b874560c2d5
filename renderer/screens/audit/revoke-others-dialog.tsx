import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserSession } from '#renderer/client';
import { useMe } from '#renderer/session';
import { ConfirmDialog, FailureNote, showToast } from '#renderer/ui';
import { refreshSessions, revokeSessions } from './queries.ts';

type Scope = 'mine' | 'all';

/** Revokes all sessions except the current one: those of the signed-in user, or of all users. */
export function RevokeOthersDialog({ others, onClose }: { others: readonly UserSession[]; onClose: () => void }) {
  const { userId } = useMe().user;
  const mine = others.filter((session) => session.userId === userId);
  const [scope, setScope] = useState<Scope>(mine.length > 0 ? 'mine' : 'all');
  const chosen = scope === 'mine' ? mine : others;
  const revoke = useMutation({
    mutationFn: () => revokeSessions(chosen),
    onSuccess: () => {
      showToast(chosen.length === 1 ? '1 session revoked' : `${chosen.length} sessions revoked`);
      onClose();
    },
    onSettled: () => refreshSessions(),
  });
  return (
    <ConfirmDialog
      title="Revoke other sessions?"
      isOpen
      confirmLabel={chosen.length === 1 ? 'Revoke 1 session' : `Revoke ${chosen.length} sessions`}
      isDangerous
      isBusy={revoke.isPending}
      onConfirm={() => !revoke.isPending && chosen.length > 0 && revoke.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <RadioGroup aria-label="Sessions to revoke" value={scope} onChange={(_, next) => setScope(next as Scope)}>
          <FormControlLabel
            value="mine"
            disabled={mine.length === 0}
            control={<Radio size="small" />}
            label={`My other sessions (${mine.length})`}
          />
          <FormControlLabel value="all" control={<Radio size="small" />} label={`All users' sessions except this one (${others.length})`} />
        </RadioGroup>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          They are signed out with their next request. Your current session stays signed in.
        </Box>
        {revoke.error && <FailureNote failure={revoke.error} />}
      </Box>
    </ConfirmDialog>
  );
}
