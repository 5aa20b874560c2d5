import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { FrontPage, PasswordField } from '#renderer/kit/ui';
import {
  canTakeOverLocked,
  type LockReason,
  peopleQuery,
  rememberEmail,
  rememberedEmails,
  type SentCode,
  signOut,
  unlock,
  unlockByCode,
  useMe,
  useSession,
} from '#renderer/session/user';
import { PersonForm } from '#renderer/shared/pin-entry';
import { CodeForm } from './code-form.tsx';
import { SignInFailure } from './sign-in-failure.tsx';

const REASONS: Readonly<Record<LockReason, string>> = {
  asked: t('Your work is kept, without card data.'),
  idle: t('Locked after 15 minutes without activity. Your work is kept, without card data.'),
  ended: t('Your session has ended. Enter your password to continue. Your work is kept.'),
};

const COVER = { position: 'fixed', inset: 0, overflow: 'auto', backgroundColor: 'background.default' } as const;

/** Covers the product until the same user enters the password, or another user of this workstation signs in. */
export function LockScreen() {
  const { user } = useMe();
  const reason = useSession(({ state }) => (state.phase === 'locked' ? state.lockReason : 'asked'));
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState<SentCode>();
  const field = useRef<HTMLInputElement>(null);
  const entry = useMutation({
    mutationFn: () => unlock(password),
    onSuccess: (code) => setSent(code),
    onError: () => field.current?.select(),
  });

  const { data: known = [] } = useQuery({ ...peopleQuery, enabled: false });
  // The person who locked the screen comes first.
  const people = canTakeOverLocked()
    ? known.toSorted((left, right) => Number(right.userId === user.userId) - Number(left.userId === user.userId))
    : [];
  const hasOwnPin = people.some(({ userId }) => userId === user.userId);

  useEffect(() => {
    if (!hasOwnPin) field.current?.focus();
  }, [hasOwnPin]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === '') field.current?.focus();
    else if (!entry.isPending) entry.mutate();
  };

  const others = rememberedEmails().filter((email) => email !== user.email);
  const switchTo = (email: string) => {
    rememberEmail(email);
    signOut();
  };
  if (sent) {
    return (
      <Box sx={COVER}>
        <FrontPage width={420}>
          <CodeForm sent={sent} onCode={(code) => unlockByCode(sent.otpId, code)} onBack={() => setSent(undefined)} />
        </FrontPage>
      </Box>
    );
  }
  return (
    <Box sx={COVER}>
      <FrontPage width={420}>
        <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
          <Box>
            <Typography variant="h1">{t('Locked')}</Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
              {REASONS[reason]}
            </Typography>
          </Box>
          {entry.error && <SignInFailure failure={entry.error} />}
          <input type="email" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <Box sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{user.email}</Box>
          {user.byCompany ? (
            <Box sx={{ color: 'text.secondary' }}>{t('You sign in with your company account, so this screen has no password.')}</Box>
          ) : (
            <PasswordField
              id="unlock-password"
              label={t('Password')}
              purpose="current-password"
              value={password}
              onValue={setPassword}
              inputRef={field}
            />
          )}
          <Box sx={{ display: 'flex', gap: 3, alignItems: 'center' }}>
            {!user.byCompany && (
              <Button type="submit" variant="contained" color="primary" size="large" loading={entry.isPending} sx={{ flex: 1 }}>
                {t('Unlock')}
              </Button>
            )}
            <Button variant={user.byCompany ? 'contained' : 'text'} size="large" onClick={signOut}>
              {user.byCompany ? t('Sign in again') : t('Switch user')}
            </Button>
          </Box>
          {others.length > 0 && (
            <Box
              component="ul"
              aria-label={t('Other users of this workstation')}
              sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}
            >
              {others.map((email) => (
                <li key={email}>
                  <Button variant="text" onClick={() => switchTo(email)} sx={{ maxWidth: '100%', overflowWrap: 'anywhere' }}>
                    {email}
                  </Button>
                </li>
              ))}
            </Box>
          )}
        </Box>
        {people.length > 0 && (
          <Box component="section" aria-label={t('Take over with a PIN')} sx={{ borderTop: 1, borderColor: 'divider', pt: 4, mt: 5 }}>
            <Box sx={{ fontWeight: 600, mb: 2 }}>{t('Or take over with a PIN')}</Box>
            <PersonForm people={people} focusesPin={hasOwnPin} />
          </Box>
        )}
      </FrontPage>
    </Box>
  );
}
