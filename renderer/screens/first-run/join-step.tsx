import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, takeData } from '#renderer/client';
import { FailureNote, FrontPage, focusField, PasswordField } from '#renderer/ui';
import { meaningOf } from './database-words.ts';
import { forgetDraft, useDraft } from './draft.ts';
import { StepForm } from './step-form.tsx';

const FIELDS: readonly string[] = ['databaseUrl', 'key', 'passphrase'];

/** Connects this computer to an existing installation. */
export function JoinStep({ onBack }: { onBack: () => void }) {
  const { databaseUrl, change } = useDraft();
  const [key, setKey] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [isAsked, setAsked] = useState(false);
  const join = useMutation({
    mutationFn: () =>
      takeData(
        api.POST('/api/v1/setup/join', {
          body: { databaseUrl: databaseUrl.trim(), ...(key && { key }), ...(passphrase && { passphrase }) },
        }),
      ),
    onSuccess: forgetDraft,
  });
  const wantsPassphrase = key.trimStart().startsWith('{');
  const missing: Readonly<Record<string, string | false>> = {
    databaseUrl: databaseUrl.trim() === '' && 'Where is the database?',
    passphrase: wantsPassphrase && passphrase === '' && 'The recovery file opens with its passphrase or code.',
  };
  const said = (name: string) =>
    (isAsked && missing[name]) ||
    (join.error?.field === name ? (meaningOf(join.error.message) ?? join.error.message) : undefined) ||
    undefined;
  const submit = () => {
    setAsked(true);
    const first = FIELDS.find((name) => missing[name]);
    if (first !== undefined) focusField(`join-${first}`);
    else join.mutate();
  };
  if (join.data) return <Joined />;
  return (
    <FrontPage width={520} footer="The key is tried before anything is written.">
      <StepForm title="Join an installation" submitLabel="Join" isBusy={join.isPending} onBack={onBack} onSubmit={submit}>
        <Box sx={{ color: 'text.secondary' }}>
          This machine becomes one more desk of a business that keeps its books in PostgreSQL. Its people sign in here as they do there.
        </Box>
        <TextField
          id="join-databaseUrl"
          label="Address"
          placeholder="postgres://user:password@host:5432/paydesk"
          value={databaseUrl}
          autoFocus
          onChange={({ target }) => {
            change({ databaseUrl: target.value });
            join.reset();
          }}
          error={said('databaseUrl') !== undefined}
          helperText={said('databaseUrl')}
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 500, className: 'mono' } }}
        />
        <TextField
          id="join-key"
          label="Key"
          type="file"
          error={said('key') !== undefined}
          helperText={said('key') ?? 'The file master.key of another desk, or the recovery file paydesk-recovery.json.'}
          onChange={({ target }) => {
            join.reset();
            const file = (target as HTMLInputElement).files?.[0];
            void (file ? file.text() : Promise.resolve('')).then(setKey);
          }}
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept: '.key,.json,text/plain' } }}
        />
        {wantsPassphrase && (
          <PasswordField
            id="join-passphrase"
            label="Passphrase or code of the recovery file"
            purpose="current-password"
            value={passphrase}
            onValue={setPassphrase}
            error={said('passphrase') !== undefined}
            helperText={said('passphrase')}
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
      <StepForm title="This desk has joined" submitLabel="Sign in" onSubmit={() => location.reload()} focusesSubmit>
        <Alert severity="success" sx={{ alignItems: 'flex-start' }}>
          It works on the same books as the other desks, and keeps their key.
        </Alert>
        <Box sx={{ color: 'text.secondary' }}>Sign in with the e-mail and password that you use there.</Box>
      </StepForm>
    </FrontPage>
  );
}
