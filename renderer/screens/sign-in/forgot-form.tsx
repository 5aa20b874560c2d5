import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { forgotPassword } from '#renderer/session';
import { FailureNote } from '#renderer/ui';

/** Requests a link to set a new password. The text does not reveal whether the user exists. */
export function ForgotForm({ email: known, onBack }: { email: string; onBack: () => void }) {
  const [email, setEmail] = useState(known);
  const asked = useMutation({ mutationFn: () => forgotPassword(email.trim()) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '' && !asked.isPending) asked.mutate();
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
      <Typography variant="h1">Forgotten password</Typography>
      {asked.isSuccess ? (
        <Alert severity="info" role="status">
          If there is an account for this address, a link is on its way; it is good for an hour. Where e-mail is not set up yet, an
          administrator makes the link for you under Users.
        </Alert>
      ) : (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          We send a link to choose a new one.
        </Typography>
      )}
      {asked.error && <FailureNote failure={asked.error} />}
      <TextField
        id="forgot-email"
        label="E-mail"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        autoFocus
        slotProps={{ htmlInput: { autoComplete: 'username', maxLength: 254, autoCapitalize: 'none', spellCheck: false } }}
      />
      <Box sx={{ display: 'flex', gap: 3 }}>
        <Button type="submit" variant="contained" color="primary" size="large" loading={asked.isPending} sx={{ flex: 1 }}>
          Send the link
        </Button>
        <Button variant="text" size="large" onClick={onBack}>
          Back
        </Button>
      </Box>
    </Box>
  );
}
