import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog, fullTime, MutedText, QueryContent, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { type AnchorSettings, anchorsQuery, changeAnchors } from './queries.ts';

/** Address that receives the last entry of the log every day. */
export function AnchorDialog({ onClose }: { onClose: () => void }) {
  const anchors = useQuery(anchorsQuery);
  return <QueryContent query={anchors}>{(settings) => <AnchorForm settings={settings} onClose={onClose} />}</QueryContent>;
}

function AnchorForm({ settings, onClose }: { settings: AnchorSettings; onClose: () => void }) {
  const { timezone } = useMerchant();
  const [email, setEmail] = useState(settings.email ?? '');
  const saving = useSubmit({ send: () => changeAnchors(email.trim() || null), announcement: t('Address saved.'), onClose });
  const refusal = saving.failure?.field === 'email' ? saving.failure.message : undefined;
  return (
    <FormDialog {...saving} failure={refusal === undefined ? saving.failure : null} title={t('Daily email')} submitLabel={t('Save')}>
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <MutedText>
          {t(
            'Paydesk emails the number and the hash of the last entry every day. With them, anyone can later prove that nothing before was changed. Choose a mailbox that the people who run Paydesk can’t change.',
          )}
        </MutedText>
        <TextField
          id="anchors-email"
          label={t('Email')}
          type="email"
          autoFocus
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={refusal !== undefined}
          helperText={refusal ?? t('Leave empty to send no emails.')}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 254 } }}
        />
        {settings.lastSentAt && <MutedText>{t('Last sent on {{time}}.', { time: fullTime(settings.lastSentAt, timezone) })}</MutedText>}
      </Box>
    </FormDialog>
  );
}
