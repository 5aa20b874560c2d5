import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useState } from 'react';
import type { UserSession } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ConfirmDialog, useSubmit } from '#renderer/kit/ui';
import { useMe } from '#renderer/session/user';
import { refreshSessions, revokeSessions } from './queries.ts';

type Scope = 'mine' | 'all';

/** Revokes all sessions except the current one: those of the signed-in user, or of all users. */
export function RevokeOthersDialog({ others, onClose }: { others: readonly UserSession[]; onClose: () => void }) {
  const { userId } = useMe().user;
  const mine = others.filter((session) => session.userId === userId);
  const [scope, setScope] = useState<Scope>(mine.length > 0 ? 'mine' : 'all');
  const chosen = scope === 'mine' ? mine : others;
  const revoke = useSubmit({
    send: () => revokeSessions(chosen),
    refresh: refreshSessions,
    toast: t('{{count, number}} sessions revoked', { count: chosen.length }),
    onClose,
  });
  return (
    <ConfirmDialog
      {...revoke}
      title={t('Revoke other sessions?')}
      isOpen
      submitLabel={t('Revoke {{count, number}} sessions', { count: chosen.length })}
      isDangerous
      isDisabled={chosen.length === 0}
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <RadioGroup aria-label={t('Sessions to revoke')} value={scope} onChange={(_, next) => setScope(next as Scope)}>
          <FormControlLabel
            value="mine"
            disabled={mine.length === 0}
            control={<Radio size="small" />}
            label={t('My other sessions ({{count, number}})', { count: mine.length })}
          />
          <FormControlLabel
            value="all"
            control={<Radio size="small" />}
            label={t("All users' sessions except this one ({{count, number}})", { count: others.length })}
          />
        </RadioGroup>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('They are signed out with their next request. Your current session stays signed in.')}
        </Box>
      </Box>
    </ConfirmDialog>
  );
}
