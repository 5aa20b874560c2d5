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

type Reach = 'mine' | 'all';

/** Ends every session but the one in use: those of the person, or everybody's. */
export function RevokeOthersDialog({ others, onClose }: { others: readonly UserSession[]; onClose: () => void }) {
  const { userId } = useMe().user;
  const mine = others.filter((session) => session.userId === userId);
  const [reach, setReach] = useState<Reach>(mine.length > 0 ? 'mine' : 'all');
  const chosen = reach === 'mine' ? mine : others;
  const revoke = useMutation({
    mutationFn: () => revokeSessions(chosen),
    onSuccess: () => {
      showToast(chosen.length === 1 ? 'One session has ended' : `${chosen.length} sessions have ended`);
      onClose();
    },
    onSettled: () => refreshSessions(),
  });
  return (
    <ConfirmDialog
      title="Revoke all others?"
      isOpen
      confirmLabel={chosen.length === 1 ? 'End one session' : `End ${chosen.length} sessions`}
      isDangerous
      isBusy={revoke.isPending}
      onConfirm={() => !revoke.isPending && chosen.length > 0 && revoke.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <RadioGroup aria-label="Whose sessions" value={reach} onChange={(_, next) => setReach(next as Reach)}>
          <FormControlLabel
            value="mine"
            disabled={mine.length === 0}
            control={<Radio size="small" />}
            label={`My other sessions (${mine.length})`}
          />
          <FormControlLabel value="all" control={<Radio size="small" />} label={`Everybody's sessions but this one (${others.length})`} />
        </RadioGroup>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          They are refused from their next request on. The session that you are using stays.
        </Box>
        {revoke.error && <FailureNote failure={revoke.error} />}
      </Box>
    </ConfirmDialog>
  );
}
