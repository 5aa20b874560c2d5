import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { CodeBlock, ConfirmDialog, copyText, Dialog, FactList, FailureNote, FormDialog, showToast } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { roleName } from '#renderer/session/permissions';
import { refreshMe, useMe } from '#renderer/session/user';
import { LANGUAGES, type Language } from '#shared/languages';
import { ChangePassword } from './change-password.tsx';
import { EnrollApp } from './enroll-app.tsx';
import { PinForm } from './pin-form.tsx';
import { type Enrollment, enrollApp, renewRecoveryCodes, setOwnLanguage, setOwnName, setTwoFactor, twoFactorQuery } from './requests.ts';

/** Value of the choice that leaves the language to the computer. */
const COMPUTER = 'computer';

type Method = 'off' | 'totp' | 'email' | 'sms';
const METHODS: readonly (readonly [Method, string])[] = [
  ['off', t('Password only')],
  ['totp', t('Password and a code from an authenticator app')],
  ['email', t('Password and a code by email')],
  ['sms', t('Password and a code by text message')],
];

/** Step that the dialog shows instead of the account. */
type Step =
  | { readonly is: 'account' | 'password' | 'pin' }
  | { readonly is: 'enroll'; readonly enrollment: Enrollment }
  | { readonly is: 'codes'; readonly codes: readonly string[] };

/** Account of the signed-in user: role, password and two-factor authentication. Mounted while it is open. */
export function AccountDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ is: 'account' });
  const back = () => setStep({ is: 'account' });
  const showCodes = (codes: readonly string[]) => {
    void refreshMe();
    setStep({ is: 'codes', codes });
  };
  switch (step.is) {
    case 'password':
      return <ChangePassword onClose={back} />;
    case 'pin':
      return <PinForm onClose={back} />;
    case 'enroll':
      return <EnrollApp enrollment={step.enrollment} onEnrolled={showCodes} onClose={back} />;
    case 'codes':
      return <RecoveryCodes codes={step.codes} onClose={onClose} />;
    default:
      return <Account onStep={setStep} onClose={onClose} />;
  }
}

function Account({ onStep, onClose }: { onStep: (step: Step) => void; onClose: () => void }) {
  const { user } = useMe();
  const [name, setName] = useState(user.name ?? '');
  const [language, setLanguage] = useState(user.language);
  const [method, setMethod] = useState(user.twoFactor as Method);
  const isRenamed = name.trim() !== (user.name ?? '');
  const isMethodChanged = method !== user.twoFactor;
  const isLanguageChanged = language !== user.language;
  const isChanged = isRenamed || isMethodChanged || isLanguageChanged;
  const save = useMutation({
    mutationFn: async () => {
      if (isRenamed) await setOwnName(name);
      if (isLanguageChanged) await setOwnLanguage(language);
      if (isRenamed || isLanguageChanged) await refreshMe();
      if (!isMethodChanged) {
        showToast(t('Saved.'));
        return onClose();
      }
      if (method === 'totp') return onStep({ is: 'enroll', enrollment: await enrollApp() });
      await setTwoFactor(method);
      void refreshMe();
      showToast(method === 'off' ? t('Two-factor authentication is off.') : t('Two-factor authentication is on.'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('Your account')}
      submitLabel={isMethodChanged && method === 'totp' ? t('Continue') : t('Save')}
      isBusy={save.isPending}
      isDisabled={!isChanged}
      onSubmit={() => !save.isPending && isChanged && save.mutate()}
      failure={save.error}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="own-name"
          label={t('Name')}
          value={name}
          disabled={user.byPin}
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { autoComplete: 'name', maxLength: 100 } }}
        />
        <TextField
          id="own-language"
          select
          label={t('Language')}
          value={language ?? COMPUTER}
          onChange={(event) => setLanguage(event.target.value === COMPUTER ? null : (event.target.value as Language))}
        >
          <MenuItem value={COMPUTER}>{t('As on this computer')}</MenuItem>
          {Object.entries(LANGUAGES).map(([code, ownName]) => (
            <MenuItem key={code} value={code} lang={code}>
              {ownName}
            </MenuItem>
          ))}
        </TextField>
        <FactList
          facts={[
            [t('Email'), user.email],
            [t('Role'), roleName(user.role)],
            [t('Phone'), user.phone ?? t('None')],
          ]}
        />
        {user.byPin ? (
          <Alert severity="info">
            {t(
              'You took over this screen with a PIN. Lock it and unlock it with your password to change your name, password, PIN or codes.',
            )}
          </Alert>
        ) : (
          <SignInSettings method={method} onMethod={setMethod} onStep={onStep} />
        )}
      </Box>
    </FormDialog>
  );
}

/** Password, PIN and second factor of the signed-in user. */
function SignInSettings({
  method,
  onMethod,
  onStep,
}: {
  method: Method;
  onMethod: (method: Method) => void;
  onStep: (step: Step) => void;
}) {
  const { user } = useMe();
  return (
    <>
      <Box>
        <Button variant="outlined" onClick={() => onStep({ is: 'password' })}>
          {t('Change password')}
        </Button>
        <Button variant="outlined" onClick={() => onStep({ is: 'pin' })} sx={{ marginInlineStart: 2 }}>
          {user.hasPin ? t('Change PIN') : t('Set PIN')}
        </Button>
      </Box>
      <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
        <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, mb: 1, p: 0 }}>
          {t('At sign-in')}
        </Box>
        <RadioGroup value={method} onChange={(_, value) => onMethod(value as Method)}>
          {METHODS.map(([value, label]) => (
            <FormControlLabel
              key={value}
              value={value}
              label={label}
              disabled={value === 'sms' && user.phone === null}
              control={<Radio size="small" />}
            />
          ))}
        </RadioGroup>
        {user.phone === null && (
          <Alert severity="info" sx={{ mt: 2 }}>
            {t('Codes by text message need a phone number; an administrator can add yours.')}
          </Alert>
        )}
      </Box>
      {user.twoFactor !== 'off' && <RemainingRecoveryCodes onCodes={(codes) => onStep({ is: 'codes', codes })} />}
    </>
  );
}

/** Number of unused recovery codes, with a button that replaces all codes. */
function RemainingRecoveryCodes({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const state = useQuery(twoFactorQuery);
  const [isAsked, setAsked] = useState(false);
  const renew = useMutation({ mutationFn: renewRecoveryCodes, onSuccess: onCodes });
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', gap: 3, alignItems: 'center' }}>
        <Box sx={{ flex: 1 }}>
          {t('Recovery codes left: {{recoveryCodesLeft}}', { recoveryCodesLeft: state.data?.recoveryCodesLeft ?? '…' })}
        </Box>
        <Button variant="outlined" onClick={() => setAsked(true)}>
          {t('Create new codes…')}
        </Button>
      </Box>
      <ConfirmDialog
        title={t('Create new recovery codes?')}
        isOpen={isAsked}
        submitLabel={t('Create new codes')}
        isBusy={renew.isPending}
        onSubmit={() => renew.mutate()}
        onClose={() => setAsked(false)}
      >
        {t('The codes that you have no longer work, used or unused.')}
        {renew.error && <FailureNote failure={renew.error} />}
      </ConfirmDialog>
    </Box>
  );
}

/** Shows new recovery codes, once. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <Dialog
      title={t('Save your recovery codes')}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <>
          <Button variant="outlined" onClick={() => void copyText(text, t('Recovery codes'))}>
            {t('Copy codes')}
          </Button>
          <Button variant="outlined" onClick={() => saveAs(new Blob([`${text}\n`], { type: 'text/plain' }), 'paydesk-recovery-codes.txt')}>
            {t('Save as file')}
          </Button>
          <Button variant="contained" color="primary" onClick={onClose} autoFocus>
            {t('I’ve saved the codes')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="warning">{t('These codes are shown once. Store them separately from your phone.')}</Alert>
        <Box>{t('If you don’t have your phone, enter one of them instead of the code. Each code works once.')}</Box>
        <CodeBlock label={t('Recovery codes')} text={text} />
      </Box>
    </Dialog>
  );
}
