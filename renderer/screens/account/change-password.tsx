import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FailureNote, FormDialog, PasswordField, StrengthMeter, showToast, strengthOf } from '#renderer/kit/ui';
import { changePassword } from './requests.ts';

/** Asks for a new password. The current password is requested on submit. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(password),
    onSuccess: () => {
      showToast(t('Password changed. Other sessions were signed out.'));
      onClose();
    },
  });
  const isTooShort = change.error?.field === 'newPassword';
  return (
    <FormDialog
      title={t('Change your password')}
      submitLabel={t('Change password')}
      isBusy={change.isPending}
      isDisabled={password === ''}
      onSubmit={() => !change.isPending && password !== '' && change.mutate()}
      onClose={onClose}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <PasswordField
          id="new-password"
          label={t('New password')}
          purpose="new-password"
          value={password}
          onValue={setPassword}
          autoFocus
          error={isTooShort}
          helperText={isTooShort ? change.error?.message : undefined}
        />
        <StrengthMeter id="own-password-strength" strength={strengthOf(password, [])} />
        {change.error && !isTooShort && <FailureNote failure={change.error} />}
      </Box>
    </FormDialog>
  );
}
