import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNote, FrontPage, focusField, PasswordField } from '#renderer/ui';
import { OptionCard } from './option-card.tsx';
import { type RestoreFindings, restoreBackup } from './restore-request.ts';
import { StepForm } from './step-form.tsx';

const RECOVERY_FILE = /\.json$/i;
const FIELDS: readonly string[] = ['backup', 'key', 'passphrase', 'databaseUrl'];

/** Brings an installation back from a backup, in the place of a new one. */
export function RestoreStep({ onBack }: { onBack: () => void }) {
  const [backup, setBackup] = useState<File>();
  const [key, setKey] = useState<File>();
  const [passphrase, setPassphrase] = useState('');
  const [isPostgres, setPostgres] = useState(false);
  const [databaseUrl, setDatabaseUrl] = useState('');
  const [isAsked, setAsked] = useState(false);
  const restore = useMutation({ mutationFn: restoreBackup });
  const wantsPassphrase = key !== undefined && RECOVERY_FILE.test(key.name);
  const missing: Readonly<Record<string, string | false>> = {
    backup: backup === undefined && 'Choose the backup.',
    key: key === undefined && 'Choose the key file or the recovery file.',
    passphrase: wantsPassphrase && passphrase === '' && 'The recovery file opens with its passphrase or code.',
    databaseUrl: isPostgres && databaseUrl.trim() === '' && 'Where is the empty database?',
  };
  const said = (name: string) =>
    (isAsked && missing[name]) || (restore.error?.field === name ? restore.error.message : undefined) || undefined;
  const submit = () => {
    setAsked(true);
    const first = FIELDS.find((name) => missing[name]);
    if (first !== undefined) focusField(`restore-${first}`);
    else if (backup && key) restore.mutate({ backup, key, passphrase, databaseUrl: isPostgres ? databaseUrl : '' });
  };
  const file = (name: 'backup' | 'key', label: string, help: string, accept: string, take: (file: File | undefined) => void) => (
    <TextField
      id={`restore-${name}`}
      label={label}
      type="file"
      error={said(name) !== undefined}
      helperText={said(name) ?? help}
      onChange={({ target }) => {
        take((target as HTMLInputElement).files?.[0]);
        restore.reset();
      }}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept } }}
    />
  );
  if (restore.data) return <Restored findings={restore.data} />;
  return (
    <FrontPage width={520} footer="Nothing is changed unless all of it is whole.">
      <StepForm title="Restore from a backup" submitLabel="Restore" isBusy={restore.isPending} onBack={onBack} onSubmit={submit}>
        {file('backup', 'Backup', 'A file that ends in .paydesk-backup.', '.paydesk-backup', setBackup)}
        {file('key', 'Key', 'The file master.key, or the recovery file paydesk-recovery.json.', '.key,.json,text/plain', setKey)}
        {wantsPassphrase && (
          <PasswordField
            id="restore-passphrase"
            label="Passphrase or code of the recovery file"
            purpose="current-password"
            value={passphrase}
            onValue={setPassphrase}
            error={said('passphrase') !== undefined}
            helperText={said('passphrase')}
          />
        )}
        <RadioGroup
          aria-label="Database"
          value={isPostgres ? 'postgres' : 'sqlite'}
          onChange={(_, value) => setPostgres(value === 'postgres')}
          sx={{ gap: 3 }}
        >
          <OptionCard value="sqlite" title="To this machine">
            SQLite in the application's folder.
          </OptionCard>
          <OptionCard value="postgres" title="To an empty PostgreSQL database">
            A server of yours. Backups of either kind go to both.
          </OptionCard>
        </RadioGroup>
        {isPostgres && (
          <TextField
            id="restore-databaseUrl"
            label="Address"
            placeholder="postgres://user:password@host:5432/paydesk"
            value={databaseUrl}
            onChange={({ target }) => setDatabaseUrl(target.value)}
            error={said('databaseUrl') !== undefined}
            helperText={said('databaseUrl')}
            slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 500, className: 'mono' } }}
          />
        )}
        {restore.error && !FIELDS.includes(restore.error.field ?? '') && <FailureNote failure={restore.error} />}
      </StepForm>
    </FrontPage>
  );
}

function Restored({ findings }: { findings: RestoreFindings }) {
  const { createdAt, transactions, isAuditValid, isLedgerRight } = findings;
  const isWhole = isAuditValid && isLedgerRight;
  return (
    <FrontPage width={520}>
      <StepForm title="Paydesk is restored" submitLabel="Sign in" onSubmit={() => location.reload()} focusesSubmit>
        <Alert severity={isWhole ? 'success' : 'warning'} sx={{ alignItems: 'flex-start' }}>
          The backup of {new Date(createdAt).toLocaleString('en-US')}: {transactions.toLocaleString('en-US')} transactions. Audit log{' '}
          {isAuditValid ? 'valid' : 'broken'}, ledger {isLedgerRight ? 'adds up' : 'does not add up'}.
        </Alert>
        <Box sx={{ color: 'text.secondary' }}>
          Automatic charges wait until an owner lets them go on, under System, Backup: what was charged after the backup is not known here.
        </Box>
      </StepForm>
    </FrontPage>
  );
}
