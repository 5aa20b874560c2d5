import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { PASSWORD_LENGTH_MIN, PasswordField, StrengthMeter, strengthOf } from '#renderer/kit/ui';
import { useDraft } from './draft.ts';

import { StepForm } from './step-form.tsx';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

interface AdministratorStepProps {
  readonly password: string;
  readonly onPassword: (password: string) => void;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

/** Creates the first administrator. */
export function AdministratorStep({ password, onPassword, onDone, onBack }: AdministratorStepProps) {
  const { email, businessName, change } = useDraft();
  const [wasSubmitted, setSubmitted] = useState(false);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const isEmailWrong = !EMAIL.test(email.trim());
  const isPasswordShort = password.length < PASSWORD_LENGTH_MIN;

  const submit = () => {
    if (!isEmailWrong && !isPasswordShort) return onDone();
    const isUntouched = isEmailWrong ? email === '' : password === '';
    // Enter in a valid field goes to the next empty one without an error.
    if (!isUntouched || document.activeElement === (isEmailWrong ? emailField : passwordField).current) setSubmitted(true);
    (isEmailWrong ? emailField : passwordField).current?.focus();
  };

  return (
    <StepForm title={t('Administrator')} submitLabel={t('Continue')} onBack={onBack} onSubmit={submit}>
      <TextField
        id="admin-email"
        label={t('Email')}
        type="email"
        value={email}
        inputRef={emailField}
        onChange={(event) => change({ email: event.target.value })}
        autoFocus={email === ''}
        error={wasSubmitted && isEmailWrong}
        helperText={wasSubmitted && isEmailWrong ? t('Enter an email address, such as name@example.com.') : t('You use it to sign in.')}
        slotProps={{ htmlInput: { autoComplete: 'username', maxLength: 254, autoCapitalize: 'none', spellCheck: false } }}
      />
      <Box sx={{ display: 'grid', gap: 2 }}>
        <PasswordField
          id="admin-password"
          label={t('Password')}
          purpose="new-password"
          value={password}
          onValue={onPassword}
          inputRef={passwordField}
          autoFocus={email !== ''}
          error={wasSubmitted && isPasswordShort}
        />
        <StrengthMeter id="admin-password-strength" strength={strengthOf(password, [email, businessName])} />
      </Box>
    </StepForm>
  );
}
