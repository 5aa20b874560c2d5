import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type LockReason, signOut, unlock, useMe, useSession } from '#renderer/session';
import { FrontPage, PasswordField } from '#renderer/ui';
import { SignInFailure } from './sign-in-failure.tsx';

const REASONS: Readonly<Record<LockReason, string>> = {
  asked: 'Your work stays as you left it, without card data.',
  idle: 'Nobody was here for 15 minutes. Your work stays as you left it, without card data.',
  ended: 'The session has ended. Enter your password to go on; your work stays as you left it.',
};

/** Lies over the product until the same person gives the password, or another one signs in. */
export function LockScreen() {
  const { user } = useMe();
  const reason = useSession(({ state }) => (state.phase === 'locked' ? state.lockReason : 'asked'));
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const entry = useMutation({ mutationFn: () => unlock(password), onError: () => field.current?.select() });

  useEffect(() => field.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === '') field.current?.focus();
    else if (!entry.isPending) entry.mutate();
  };

  return (
    <Box sx={{ position: 'fixed', inset: 0, overflow: 'auto', backgroundColor: 'background.default' }}>
      <FrontPage width={420}>
        <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
          <Box>
            <Typography variant="h1">Locked</Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
              {REASONS[reason]}
            </Typography>
          </Box>
          {entry.error && <SignInFailure failure={entry.error} />}
          <input type="email" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <Box sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{user.email}</Box>
          <PasswordField
            id="unlock-password"
            label="Password"
            purpose="current-password"
            value={password}
            onValue={setPassword}
            inputRef={field}
          />
          <Box sx={{ display: 'flex', gap: 3, alignItems: 'center' }}>
            <Button type="submit" variant="contained" color="primary" size="large" loading={entry.isPending} sx={{ flex: 1 }}>
              Unlock
            </Button>
            <Button variant="text" size="large" onClick={signOut}>
              Someone else
            </Button>
          </Box>
        </Box>
      </FrontPage>
    </Box>
  );
}
