import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import RadioGroup from '@mui/material/RadioGroup';
import { type ReactNode, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { ConfirmDialog, FailureNote, FrontPage, PASSWORD_LENGTH_MIN, PasswordField } from '#renderer/kit/ui';
import { SavedNote, useRecoveryFile } from '#renderer/shared/recovery-file';
import { OptionCard } from './option-card.tsx';
import { StepForm } from './step-form.tsx';

interface RecoveryStepProps {
  /** Password of the new administrator, for whom the file is created. Requested again after a reload. */
  readonly password: string;
  /** Step indicator. */
  readonly count: ReactNode;
  /** Called with true if the file is saved. */
  readonly onDone: (isSaved: boolean) => void;
}

/** Saves the recovery file, which restores stored cards if this computer is lost, or postpones it with a warning. */
export function RecoveryStep({ password: given, count, onDone }: RecoveryStepProps) {
  const [protection, setProtection] = useState<'code' | 'passphrase'>('code');
  const [passphrase, setPassphrase] = useState('');
  const [password, setPassword] = useState(given);
  const [wasSubmitted, setSubmitted] = useState(false);
  const [isSkipping, setSkipping] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const { create, confirm, createdFile, saveAgain, failure } = useRecoveryFile(() => onDone(true));
  const isShort = protection === 'passphrase' && passphrase.length < PASSWORD_LENGTH_MIN;

  const submit = () => {
    if (createdFile) return confirm.mutate();
    if (password === '') return passwordField.current?.focus();
    if (!isShort) return create.mutate({ password, ...(protection === 'passphrase' && { passphrase }) });
    setSubmitted(true);
    field.current?.focus();
  };

  return (
    <FrontPage width={520}>
      {count}
      <StepForm
        key={createdFile ? 'saved' : 'choose'}
        title={createdFile ? t('Store the file and its code') : t('Save recovery file')}
        submitLabel={createdFile ? (createdFile.code === null ? t('I’ve saved it') : t('I’ve saved both')) : t('Save recovery file')}
        isBusy={create.isPending || confirm.isPending}
        onSubmit={submit}
        focusesSubmit={given !== '' || createdFile !== undefined}
      >
        {createdFile ? (
          <SavedNote file={createdFile} onSaveAgain={saveAgain} />
        ) : (
          <>
            <Box>
              {t(
                'Cards are encrypted with a key that exists only on this computer. The recovery file restores them if the computer is lost, its disk fails or its keyring is reset.',
              )}
            </Box>
            {given === '' && (
              <PasswordField
                id="recovery-password"
                label={t('Your password')}
                purpose="current-password"
                value={password}
                onValue={setPassword}
                inputRef={passwordField}
                autoFocus
                error={failure?.field === 'currentPassword'}
                helperText={failure?.field === 'currentPassword' ? failure.message : undefined}
              />
            )}
            <RadioGroup
              aria-label={t('Protection of the file')}
              value={protection}
              onChange={(_, value) => setProtection(value === 'passphrase' ? 'passphrase' : 'code')}
              sx={{ gap: 3 }}
            >
              <OptionCard value="code" title={t('A code from Paydesk')}>
                {t('24 letters and digits, shown once. Write it down.')}
              </OptionCard>
              <OptionCard value="passphrase" title={t('Your own passphrase')}>
                {t('We can’t recover this passphrase.')}
              </OptionCard>
            </RadioGroup>
            {protection === 'passphrase' && (
              <PasswordField
                id="recovery-passphrase"
                label={t('Passphrase')}
                purpose="new-password"
                value={passphrase}
                onValue={setPassphrase}
                inputRef={field}
                autoFocus
                error={wasSubmitted && isShort}
                helperText={t('{{minimum}} or more characters. Don’t use your password.', { minimum: PASSWORD_LENGTH_MIN })}
              />
            )}
          </>
        )}
        {failure && !(failure.field === 'currentPassword' && given === '') && <FailureNote failure={failure} />}
      </StepForm>
      {!createdFile && (
        <Box sx={{ mt: 3, textAlign: 'center' }}>
          <Button variant="text" onClick={() => setSkipping(true)}>
            {t('Not now')}
          </Button>
        </Box>
      )}
      <ConfirmDialog
        title={t('Continue without a recovery file?')}
        isOpen={isSkipping}
        submitLabel={t('Continue without it')}
        isDangerous
        onSubmit={() => onDone(false)}
        onClose={() => setSkipping(false)}
      >
        <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
          {t(
            'If this computer is lost or its keyring is reset, all stored cards are permanently lost: the key exists nowhere else, not even in a backup. Paydesk reminds you until you save the file in Settings > Security.',
          )}
        </Alert>
      </ConfirmDialog>
    </FrontPage>
  );
}
