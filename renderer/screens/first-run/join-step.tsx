import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, FrontPage, focusField, PasswordField } from '#renderer/kit/ui';
import { explainDatabaseError } from './database-error-texts.ts';
import { forgetDraft, useDraft } from './draft.ts';
import { StepForm } from './step-form.tsx';

const FIELDS: readonly string[] = ['databaseUrl', 'key', 'passphrase'];

/** Connects this computer to an existing installation. */
export function JoinStep({ onBack }: { onBack: () => void }) {
  const { databaseUrl, change } = useDraft();
  const [key, setKey] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [wasSubmitted, setSubmitted] = useState(false);
  const join = useMutation({
    mutationFn: () =>
      takeData(
        api.POST('/api/v1/setup/join', {
          body: { databaseUrl: databaseUrl.trim(), ...(key && { key }), ...(passphrase && { passphrase }) },
        }),
      ),
    onSuccess: forgetDraft,
  });
  const needsPassphrase = key.trimStart().startsWith('{');
  const missing: Readonly<Record<string, string | false>> = {
    databaseUrl: databaseUrl.trim() === '' && t('Enter the database URL.'),
    passphrase: needsPassphrase && passphrase === '' && t('Enter the passphrase or code of the recovery file.'),
  };
  const errorOf = (name: string) =>
    (wasSubmitted && missing[name]) ||
    (join.error?.field === name ? (explainDatabaseError(join.error.serviceMessage) ?? join.error.message) : undefined) ||
    undefined;
  const submit = () => {
    setSubmitted(true);
    const first = FIELDS.find((name) => missing[name]);
    if (first !== undefined) focusField(`join-${first}`);
    else join.mutate();
  };
  if (join.data) return <Joined />;
  return (
    <FrontPage width={520} footer={t('The key is checked before anything is saved.')}>
      <StepForm
        title={t('Connect to an existing Paydesk')}
        submitLabel={t('Connect')}
        isBusy={join.isPending}
        onBack={onBack}
        onSubmit={submit}
      >
        <Box sx={{ color: 'text.secondary' }}>
          {t(
            'This computer becomes another workstation of a Paydesk installation on PostgreSQL. Users sign in here with the same email and password.',
          )}
        </Box>
        <TextField
          id="join-databaseUrl"
          label={t('Database URL')}
          placeholder="postgres://user:password@host:5432/paydesk"
          value={databaseUrl}
          autoFocus
          onChange={({ target }) => {
            change({ databaseUrl: target.value });
            join.reset();
          }}
          error={errorOf('databaseUrl') !== undefined}
          helperText={errorOf('databaseUrl')}
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 500, className: 'mono' } }}
        />
        <TextField
          id="join-key"
          label={t('Key')}
          type="file"
          error={errorOf('key') !== undefined}
          helperText={errorOf('key') ?? t('The file master.key from another workstation, or the recovery file paydesk-recovery.json.')}
          onChange={({ target }) => {
            join.reset();
            const file = (target as HTMLInputElement).files?.[0];
            void (file ? file.text() : Promise.resolve('')).then(setKey);
          }}
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: '.key,.json,text/plain' } }}
        />
        {needsPassphrase && (
          <PasswordField
            id="join-passphrase"
            label={t('Passphrase or code of the recovery file')}
            purpose="current-password"
            value={passphrase}
            onValue={setPassphrase}
            error={errorOf('passphrase') !== undefined}
            helperText={errorOf('passphrase')}
          />
        )}
        {join.error && !FIELDS.includes(join.error.field ?? '') && <FailureNote failure={join.error} />}
      </StepForm>
    </FrontPage>
  );
}

function Joined() {
  return (
    <FrontPage width={520}>
      <StepForm title={t('Workstation connected')} submitLabel={t('Sign in')} onSubmit={() => location.reload()} focusesSubmit>
        <Alert severity="success" sx={{ alignItems: 'flex-start' }}>
          {t('This workstation shares data with the other workstations and stores their key.')}
        </Alert>
        <Box sx={{ color: 'text.secondary' }}>{t('Sign in with your existing email and password.')}</Box>
      </StepForm>
    </FrontPage>
  );
}
