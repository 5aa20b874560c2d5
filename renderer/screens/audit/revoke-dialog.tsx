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
      showToast('Session revoked');
      onClose();
      await refreshSessions();
      onDone();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke the session of ${session.email}?`}
      isOpen
      confirmLabel="Revoke session"
      isDangerous
      isBusy={revoke.isPending}
      onConfirm={() => !revoke.isPending && revoke.mutate()}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Box>
          {deviceText(session.device)}
          {session.ip && `, from ${session.ip}`}.{' '}
          {session.current ? 'This is your current session: you’ll be asked for your password.' : 'It’s signed out with its next request.'}
        </Box>
        {revoke.error && <FailureNote failure={revoke.error} />}
      </Box>
    </ConfirmDialog>
  );
}
