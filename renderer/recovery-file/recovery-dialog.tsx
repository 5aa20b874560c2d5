import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Dialog, FailureNote, PASSWORD_LENGTH_MIN, PasswordField, showToast } from '#renderer/ui';
import { SavedNote } from './saved-note.tsx';
import { useRecoveryFile } from './use-recovery-file.ts';

/** Saves a recovery file of the present master key after the password was confirmed. */
export function RecoveryDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const { make, confirm, made, saveAgain, failure } = useRecoveryFile(() => {
    showToast('The recovery file is noted as saved.');
    onClose();
  });
  const isShort = passphrase !== '' && passphrase.length < PASSWORD_LENGTH_MIN;
  const submit = () => {
    if (made) confirm.mutate();
    else if (password !== '' && !isShort) make.mutate({ password, ...(passphrase !== '' && { passphrase }) });
  };
  return (
    <Dialog
      title={made ? 'Keep the file and its code' : 'Save the recovery file'}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {made ? 'Not yet' : 'Cancel'}
          </Button>
          <Button
            key={made ? 'kept' : 'save'}
            type="submit"
            variant="contained"
            color="primary"
            loading={make.isPending || confirm.isPending}
            autoFocus={made !== undefined}
          >
            {made ? (made.code === null ? 'I have kept it' : 'I have kept both') : 'Save the recovery file'}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        {made ? (
          <SavedNote made={made} onSaveAgain={saveAgain} />
        ) : (
          <>
            <PasswordField
              id="recovery-password"
              label="Your password"
              purpose="current-password"
              value={password}
              onValue={setPassword}
              autoFocus
              error={failure?.field === 'password'}
              helperText={failure?.field === 'password' ? failure.message : undefined}
            />
            <PasswordField
              id="recovery-passphrase"
              label="Passphrase for the file"
              purpose="new-password"
              value={passphrase}
              onValue={setPassphrase}
              error={isShort}
              helperText={`${PASSWORD_LENGTH_MIN} or more characters. Leave it empty, and Paydesk makes a code to be written down.`}
            />
          </>
        )}
        {failure && failure.field !== 'password' && <FailureNote failure={failure} />}
      </Box>
    </Dialog>
  );
}
