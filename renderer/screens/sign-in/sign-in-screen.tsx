import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FrontPage, LanguageButtons, PasswordField, SelectField } from '#renderer/kit/ui';
import { rememberEmail, rememberedEmail, type SentCode, signIn, signInByCode } from '#renderer/session/user';
import { CodeForm } from './code-form.tsx';
import { CompanySignIn } from './company-sign-in.tsx';
import { ForgotForm } from './forgot-form.tsx';
import { SignInFailure } from './sign-in-failure.tsx';

/** Returns the accounts to choose from if the service requires a choice. */
function tenantsToChooseFrom(failure: ApiFailure): readonly string[] {
  const { tenants } = failure.details;
  if (failure.code !== 'TENANT_REQUIRED' || !Array.isArray(tenants)) return [];
  return tenants.filter((tenant): tenant is string => typeof tenant === 'string');
}

/** Sign-in with email and password, then with a code if the user has a second factor. Asks for the account only if the email address has several. */
export function SignInScreen() {
  const remembered = rememberedEmail();
  const [email, setEmail] = useState(remembered);
  const [password, setPassword] = useState('');
  const [tenants, setTenants] = useState<readonly string[]>([]);
  const [tenantId, setTenantId] = useState('');
  const [sent, setSent] = useState<SentCode>();
  const [isResetting, setResetting] = useState(false);
  const [problems, setProblems] = useState<{ email?: string; password?: string }>({});
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const entry = useMutation({
    mutationFn: () => signIn({ email: email.trim(), password, ...(tenantId && { tenantId }) }),
    onSuccess: (code) => {
      if (code) setSent(code);
      else rememberEmail(email.trim());
    },
    onError: (failure) => {
      const several = tenantsToChooseFrom(failure);
      setTenants(several);
      setTenantId(several[0] ?? '');
      if (several.length === 0) passwordField.current?.select();
    },
  });
  useEffect(() => {
    document.title = `${t('Sign in')} · Paydesk`;
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (entry.isPending) return;
    const found = {
      ...(email.trim() === '' && { email: t('Enter your email address.') }),
      ...(password === '' && { password: t('Enter your password.') }),
    };
    setProblems(found);
    if (found.email) emailField.current?.focus();
    else if (found.password) passwordField.current?.focus();
    else entry.mutate();
  };

  if (sent) {
    const finish = async (code: string) => {
      await signInByCode(sent.otpId, code);
      rememberEmail(email.trim());
    };
    return (
      <FrontPage width={420}>
        <CodeForm sent={sent} onCode={finish} onBack={() => setSent(undefined)} />
      </FrontPage>
    );
  }
  if (isResetting) {
    return (
      <FrontPage width={420}>
        <ForgotForm email={email.trim()} onBack={() => setResetting(false)} />
      </FrontPage>
    );
  }
  return (
    <FrontPage width={420} footer={<LanguageButtons />}>
      <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
        <Typography variant="h1">{t('Sign in')}</Typography>
        {tenants.length > 0 ? (
          <Alert severity="info">{t('This email address belongs to several accounts. Choose one.')}</Alert>
        ) : (
          entry.error && <SignInFailure failure={entry.error} />
        )}
        <TextField
          id="sign-in-email"
          label={t('Email')}
          type="email"
          value={email}
          inputRef={emailField}
          autoFocus={remembered === ''}
          onChange={(event) => {
            setEmail(event.target.value);
            setTenants([]);
            setTenantId('');
          }}
          error={problems.email !== undefined}
          helperText={problems.email}
          slotProps={{ htmlInput: { autoComplete: 'username', maxLength: 254, autoCapitalize: 'none', spellCheck: false } }}
        />
        <PasswordField
          id="sign-in-password"
          label={t('Password')}
          purpose="current-password"
          value={password}
          onValue={setPassword}
          inputRef={passwordField}
          autoFocus={remembered !== ''}
          error={problems.password !== undefined}
          helperText={problems.password}
        />
        {tenants.length > 0 && (
          <SelectField
            id="sign-in-tenant"
            label={t('Account')}
            value={tenantId}
            options={tenants.map((tenant) => [tenant, tenant] as const)}
            onChange={setTenantId}
            autoFocus
          />
        )}
        <Button type="submit" variant="contained" color="primary" size="large" loading={entry.isPending}>
          {t('Sign in')}
        </Button>
        <Button variant="text" onClick={() => setResetting(true)} sx={{ justifySelf: 'start' }}>
          {t('Forgot your password?')}
        </Button>
        <CompanySignIn />
      </Box>
    </FrontPage>
  );
}
