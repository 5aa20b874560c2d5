import Box from '@mui/material/Box';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog, PasswordField, StrengthMeter, strengthOf, useSubmit } from '#renderer/kit/ui';
import { changePassword } from './requests.ts';

/** Asks for a new password. The current password is requested on submit. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const change = useSubmit({
    send: () => changePassword(password),
    toast: t('Password changed. Other sessions were signed out.'),
    onClose,
  });
  const isTooShort = change.failure?.field === 'newPassword';
  return (
    <FormDialog
      {...change}
      failure={isTooShort ? null : change.failure}
      title={t('Change your password')}
      submitLabel={t('Change password')}
      isDisabled={password === ''}
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
          helperText={isTooShort ? change.failure?.message : undefined}
        />
        <StrengthMeter id="own-password-strength" strength={strengthOf(password, [])} />
      </Box>
    </FormDialog>
  );
}
