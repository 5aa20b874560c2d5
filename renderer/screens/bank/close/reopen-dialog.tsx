import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { announce, FormDialog } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { refreshClose, reopenPeriod } from './queries.ts';

/** Reopens a closed period with a reason. */
export function ReopenDialog({ period, name, onClose }: { period: string; name: string; onClose: () => void }) {
  const { merchantId } = useMerchant();
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const reopening = useMutation({
    mutationFn: () => reopenPeriod(merchantId, period, reason.trim()),
    onSuccess: () => {
      announce(t('{{period}} reopened.', { period: name }));
      onClose();
    },
    onSettled: () => refreshClose(),
  });
  const isMissing = isChecked && reason.trim() === '';
  const submit = () => {
    setChecked(true);
    if (reason.trim() !== '' && !reopening.isPending) reopening.mutate();
  };
  return (
    <FormDialog
      title={t('Reopen {{period}}', { period: name })}
      submitLabel={t('Reopen {{period}}', { period: name })}
      isBusy={reopening.isPending}
      onSubmit={submit}
      onClose={onClose}
      failure={reopening.error}
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
