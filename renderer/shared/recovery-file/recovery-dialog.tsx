import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { Dialog, FailureNote, PASSWORD_LENGTH_MIN, PasswordField, showToast } from '#renderer/kit/ui';
import { SavedNote } from './saved-note.tsx';
import { useRecoveryFile } from './use-recovery-file.ts';

/** Saves a recovery file of the current master key after the password was confirmed. */
export function RecoveryDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const { create, confirm, createdFile, saveAgain, failure } = useRecoveryFile(() => {
    showToast(t('Recovery file marked as saved.'));
    onClose();
  });
  const isShort = passphrase !== '' && passphrase.length < PASSWORD_LENGTH_MIN;
  const submit = () => {
    if (createdFile) confirm.mutate();
    else if (password !== '' && !isShort) create.mutate({ password, ...(passphrase !== '' && { passphrase }) });
  };
  return (
    <Dialog
      title={createdFile ? t('Store the file and its code') : t('Save recovery file')}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {createdFile ? t('Not yet') : t('Cancel')}
          </Button>
          <Button
            key={createdFile ? 'kept' : 'save'}
            type="submit"
            variant="contained"
            color="primary"
            loading={create.isPending || confirm.isPending}
            autoFocus={createdFile !== undefined}
          >
            {createdFile ? (createdFile.code === null ? t('I’ve saved it') : t('I’ve saved both')) : t('Save recovery file')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        {createdFile ? (
          <SavedNote file={createdFile} onSaveAgain={saveAgain} />
        ) : (
          <>
            <PasswordField
              id="recovery-password"
              label={t('Your password')}
              purpose="current-password"
              value={password}
              onValue={setPassword}
              autoFocus
              error={failure?.field === 'currentPassword'}
              helperText={failure?.field === 'currentPassword' ? failure.message : undefined}
            />
            <PasswordField
              id="recovery-passphrase"
              label={t('Passphrase for the file')}
              purpose="new-password"
              value={passphrase}
              onValue={setPassphrase}
              error={isShort}
              helperText={t('{{min}} or more characters. If you leave this empty, Paydesk creates a code for you to write down.', {
                min: PASSWORD_LENGTH_MIN,
              })}
            />
          </>
        )}
        {failure && failure.field !== 'currentPassword' && <FailureNote failure={failure} />}
      </Box>
    </Dialog>
  );
}
