import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { t } from '#renderer/base/language';
import { FailureNote, FrontPage, PASSWORD_LENGTH_MIN, PasswordField, StrengthMeter, strengthOf } from '#renderer/kit/ui';
import { setPassword } from '#renderer/session/user';

/** Target of the links for invitations and forgotten passwords. */
export function SetPasswordScreen({ token, onDone }: { token: string; onDone: () => void }) {
  const [password, setValue] = useState('');
  const [isShort, setShort] = useState(false);
  const save = useMutation({ mutationFn: () => setPassword(token, password) });
  useEffect(() => {
    document.title = `${t('Set a password')} · Paydesk`;
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShort(password.length < PASSWORD_LENGTH_MIN);
    if (password.length >= PASSWORD_LENGTH_MIN && !save.isPending) save.mutate();
  };
  const isSpent = save.error?.field === 'token';
  return (
    <FrontPage width={420}>
      <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
        <Typography variant="h1">{t('Choose a password')}</Typography>
        {save.isSuccess ? (
          <>
            <Alert severity="success" role="status">
              {t('Your password is set. All earlier sessions were signed out.')}
            </Alert>
            <Button variant="contained" color="primary" size="large" onClick={onDone} autoFocus>
              {t('Go to sign-in')}
            </Button>
          </>
        ) : (
          <>
            {isSpent && <Alert severity="error">{save.error?.message}</Alert>}
            {save.error && !isSpent && <FailureNote failure={save.error} />}
            <Box sx={{ display: 'grid', gap: 2 }}>
              <PasswordField
                id="new-password"
                label={t('New password')}
                purpose="new-password"
                value={password}
                onValue={setValue}
                autoFocus
                error={isShort}
                helperText={isShort ? t('At least {{minimum}} characters.', { minimum: PASSWORD_LENGTH_MIN }) : undefined}
              />
              <StrengthMeter id="new-password-strength" strength={strengthOf(password, [])} />
            </Box>
            <Box sx={{ display: 'flex', gap: 3 }}>
              <Button type="submit" variant="contained" color="primary" size="large" loading={save.isPending} sx={{ flex: 1 }}>
                {t('Set password')}
              </Button>
              <Button variant="text" size="large" onClick={onDone}>
                {t('Sign-in')}
              </Button>
            </Box>
          </>
        )}
      </Box>
    </FrontPage>
  );
}
