import Box from '@mui/material/Box';
import type { UserSession } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ConfirmDialog, deviceText, useSubmit } from '#renderer/kit/ui';
import { refreshSessions, revokeSessions } from './queries.ts';

interface RevokeDialogProps {
  readonly session: UserSession;
  readonly onClose: () => void;
  /** Called when the session has ended and the list was refreshed. */
  readonly onDone: () => void;
}

/** Asks for confirmation, then ends one session. */
export function RevokeDialog({ session, onClose, onDone }: RevokeDialogProps) {
  const revoke = useSubmit({
    send: () => revokeSessions([session]),
    refreshFirst: refreshSessions,
    toast: t('Session revoked'),
    onDone: () => {
      onClose();
      onDone();
    },
    onClose,
  });
  return (
    <ConfirmDialog
      {...revoke}
      title={t('Revoke the session of {{email}}?', { email: session.email })}
      isOpen
      submitLabel={t('Revoke session')}
      isDangerous
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Box>
          {deviceText(session.device)}
          {session.ip && `, ${t('from {{ip}}', { ip: session.ip })}`}.{' '}
          {session.current
            ? t('This is your current session: you’ll be asked for your password.')
            : t('It’s signed out with its next request.')}
        </Box>
      </Box>
    </ConfirmDialog>
  );
}
