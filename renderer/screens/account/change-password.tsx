import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { Dialog, FailureNote, PasswordField, StrengthMeter, showToast, strengthOf } from '#renderer/kit/ui';
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
    <Dialog
      title={t('Change your password')}
      isOpen
      onClose={onClose}
      onSubmit={() => !change.isPending && password !== '' && change.mutate()}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={change.isPending} disabled={password === ''}>
            {t('Change password')}
          </Button>
        </>
      }
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
    </Dialog>
  );
}
