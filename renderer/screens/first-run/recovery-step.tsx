import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import RadioGroup from '@mui/material/RadioGroup';
import { type ReactNode, useRef, useState } from 'react';
import { SavedNote, useRecoveryFile } from '#renderer/recovery-file';
import { ConfirmDialog, FailureNote, FrontPage, PASSWORD_LENGTH_MIN, PasswordField } from '#renderer/ui';
import { OptionCard } from './option-card.tsx';
import { StepForm } from './step-form.tsx';

interface RecoveryStepProps {
  /** Password of the new administrator, for whom the file is created. Requested again after a reload. */
  readonly password: string;
  /** Which step it is. */
  readonly count: ReactNode;
  /** Called with true if the file is saved. */
  readonly onDone: (isSaved: boolean) => void;
}

/** The way back to stored cards when this computer is lost: saved here, or knowingly left for later (experience 2.1). */
export function RecoveryStep({ password: given, count, onDone }: RecoveryStepProps) {
  const [way, setWay] = useState<'code' | 'passphrase'>('code');
  const [passphrase, setPassphrase] = useState('');
  const [password, setPassword] = useState(given);
  const [isAsked, setAsked] = useState(false);
  const [isSkipping, setSkipping] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const { make, confirm, made, saveAgain, failure } = useRecoveryFile(() => onDone(true));
  const isShort = way === 'passphrase' && passphrase.length < PASSWORD_LENGTH_MIN;

  const submit = () => {
    if (made) return confirm.mutate();
    if (password === '') return passwordField.current?.focus();
    if (!isShort) return make.mutate({ password, ...(way === 'passphrase' && { passphrase }) });
    setAsked(true);
    field.current?.focus();
  };

  return (
    <FrontPage width={520}>
      {count}
      <StepForm
        key={made ? 'saved' : 'choose'}
        title={made ? 'Keep the file and its code' : 'Save the recovery file'}
        submitLabel={made ? (made.code === null ? 'I have kept it' : 'I have kept both') : 'Save the recovery file'}
        isBusy={make.isPending || confirm.isPending}
        onSubmit={submit}
        focusesSubmit={given !== '' || made !== undefined}
      >
        {made ? (
          <SavedNote made={made} onSaveAgain={saveAgain} />
        ) : (
          <>
            <Box>
              Cards are encrypted with a key that only this computer has. The recovery file is the way back to them when the computer is
              lost, its disk breaks or its keyring is reset.
            </Box>
            {given === '' && (
              <PasswordField
                id="recovery-password"
                label="Your password"
                purpose="current-password"
                value={password}
                onValue={setPassword}
                inputRef={passwordField}
                autoFocus
                error={failure?.field === 'password'}
                helperText={failure?.field === 'password' ? failure.message : undefined}
              />
            )}
            <RadioGroup
              aria-label="What opens it"
              value={way}
              onChange={(_, value) => setWay(value === 'passphrase' ? 'passphrase' : 'code')}
              sx={{ gap: 3 }}
            >
              <OptionCard value="code" title="A code that Paydesk makes">
                24 letters and digits, shown once, to be written down.
              </OptionCard>
              <OptionCard value="passphrase" title="A passphrase of your own">
                Nobody can tell you what it was.
              </OptionCard>
            </RadioGroup>
            {way === 'passphrase' && (
              <PasswordField
                id="recovery-passphrase"
                label="Passphrase"
                purpose="new-password"
                value={passphrase}
                onValue={setPassphrase}
                inputRef={field}
                autoFocus
                error={isAsked && isShort}
                helperText={`${PASSWORD_LENGTH_MIN} or more characters, and another than your password.`}
              />
            )}
          </>
        )}
        {failure && !(failure.field === 'password' && given === '') && <FailureNote failure={failure} />}
      </StepForm>
      {!made && (
        <Box sx={{ mt: 3, textAlign: 'center' }}>
          <Button variant="text" onClick={() => setSkipping(true)}>
            Not now
          </Button>
        </Box>
      )}
      <ConfirmDialog
        title="Go on without a recovery file?"
        isOpen={isSkipping}
        confirmLabel="Go on without it"
        isDangerous
        onConfirm={() => onDone(false)}
        onClose={() => setSkipping(false)}
      >
        <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
          If this computer is lost or its keyring is reset, every stored card is lost for good: nobody else has the key, not even in a
          backup. You are reminded until the file is saved, in Settings, Security.
        </Alert>
      </ConfirmDialog>
    </FrontPage>
  );
}
