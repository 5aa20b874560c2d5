import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '#renderer/base/language';
import { FailureNote } from '#renderer/kit/ui';
import { forgotPassword } from '#renderer/session/user';

/** Requests a link to set a new password. The text does not reveal whether the user exists. */
export function ForgotForm({ email: known, onBack }: { email: string; onBack: () => void }) {
  const [email, setEmail] = useState(known);
  const request = useMutation({ mutationFn: () => forgotPassword(email.trim()) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '' && !request.isPending) request.mutate();
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
      <Typography variant="h1">{t('Reset your password')}</Typography>
      {request.isSuccess ? (
        <Alert severity="info" role="status">
          {t(
            'If this address belongs to a user, a link is on its way. It’s valid for one hour. If email isn’t set up yet, ask an administrator to create the link under Users.',
          )}
        </Alert>
      ) : (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('We’ll email you a link to set a new password.')}
        </Typography>
      )}
      {request.error && <FailureNote failure={request.error} />}
      <TextField
        id="forgot-email"
        label={t('Email')}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        autoFocus
        slotProps={{ htmlInput: { autoComplete: 'username', maxLength: 254, autoCapitalize: 'none', spellCheck: false } }}
      />
      <Box sx={{ display: 'flex', gap: 3 }}>
        <Button type="submit" variant="contained" color="primary" size="large" loading={request.isPending} sx={{ flex: 1 }}>
          {t('Send link')}
        </Button>
        <Button variant="text" size="large" onClick={onBack}>
          {t('Back')}
        </Button>
      </Box>
    </Box>
  );
}
