import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { refreshClose, reopenPeriod } from './queries.ts';

/** Reopens a closed period with a reason. */
export function ReopenDialog({ period, name, onClose }: { period: string; name: string; onClose: () => void }) {
  const { merchantId } = useMerchant();
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const reopening = useSubmit({
    send: () => reopenPeriod(merchantId, period, reason.trim()),
    refresh: refreshClose,
    announcement: t('{{period}} reopened.', { period: name }),
    onClose,
  });
  const isMissing = isChecked && reason.trim() === '';
  const submit = () => {
    setChecked(true);
    if (reason.trim() !== '') reopening.onSubmit();
  };
  return (
    <FormDialog
      {...reopening}
      title={t('Reopen {{period}}', { period: name })}
      submitLabel={t('Reopen {{period}}', { period: name })}
      onSubmit={submit}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Matches of this period can be changed again. The figures of the close, your name and the reason stay on record.')}
        </Box>
        <TextField
          id="reopen-reason"
          label={t('Reason')}
          value={reason}
          autoFocus
          onChange={({ target }) => setReason(target.value)}
          error={isMissing}
          helperText={isMissing ? t('Enter a reason.') : undefined}
          slotProps={{ htmlInput: { maxLength: 500 } }}
        />
      </Box>
    </FormDialog>
  );
}
