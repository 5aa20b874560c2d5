import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import type { UserSession } from '#renderer/client';
import { ConfirmDialog, deviceText, FailureNote, showToast } from '#renderer/ui';
import { refreshSessions, revokeSessions } from './queries.ts';

interface RevokeDialogProps {
  readonly session: UserSession;
  readonly onClose: () => void;
  /** Called when the session has ended and the list was refreshed. */
  readonly onDone: () => void;
}

/** Asks for confirmation, then ends one session. */
export function RevokeDialog({ session, onClose, onDone }: RevokeDialogProps) {
  const revoke = useMutation({
    mutationFn: () => revokeSessions([session]),
    onSuccess: async () => {
      showToast('The session has ended');
      onClose();
      await refreshSessions();
      onDone();
    },
  });
  return (
    <ConfirmDialog
      title={`End the session of ${session.email}?`}
      isOpen
      confirmLabel="End the session"
      isDangerous
      isBusy={revoke.isPending}
      onConfirm={() => !revoke.isPending && revoke.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Box>
          {deviceText(session.device)}
          {session.ip && `, from ${session.ip}`}.{' '}
          {session.current
            ? 'It is the session that you are using: you will be asked for your password.'
            : 'It is refused from its next request on.'}
        </Box>
        {revoke.error && <FailureNote failure={revoke.error} />}
      </Box>
    </ConfirmDialog>
  );
}
