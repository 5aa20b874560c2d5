import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, takeData } from '#renderer/base/client';
import { locale, t } from '#renderer/base/language';
import { FailureNote, FrontPage, focusField, PasswordField } from '#renderer/kit/ui';
import { OptionCard } from './option-card.tsx';
import { StepForm } from './step-form.tsx';

const RECOVERY_FILE = /\.json$/i;
const FIELDS: readonly string[] = ['backup', 'key', 'passphrase', 'databaseUrl'];

/** Restores an installation from a backup instead of setting up a new one. */
export function RestoreStep({ onBack }: { onBack: () => void }) {
  const [backup, setBackup] = useState<File>();
  const [key, setKey] = useState<File>();
  const [passphrase, setPassphrase] = useState('');
  const [isPostgres, setPostgres] = useState(false);
  const [databaseUrl, setDatabaseUrl] = useState('');
  const [wasSubmitted, setSubmitted] = useState(false);
  const restore = useMutation({ mutationFn: restoreBackup });
  const needsPassphrase = key !== undefined && RECOVERY_FILE.test(key.name);
  const missing: Readonly<Record<string, string | false>> = {
    backup: backup === undefined && t('Choose the backup file.'),
    key: key === undefined && t('Choose the key file or the recovery file.'),
    passphrase: needsPassphrase && passphrase === '' && t('Enter the passphrase or code of the recovery file.'),
    databaseUrl: isPostgres && databaseUrl.trim() === '' && t('Enter the URL of the empty database.'),
  };
  const errorOf = (name: string) =>
    (wasSubmitted && missing[name]) || (restore.error?.field === name ? restore.error.message : undefined) || undefined;
  const submit = () => {
    setSubmitted(true);
    const first = FIELDS.find((name) => missing[name]);
    if (first !== undefined) focusField(`restore-${first}`);
    else if (backup && key) restore.mutate({ backup, key, passphrase, databaseUrl: isPostgres ? databaseUrl : '' });
  };
  const file = (name: 'backup' | 'key', label: string, help: string, accept: string, take: (file: File | undefined) => void) => (
    <TextField
      id={`restore-${name}`}
      label={label}
      type="file"
      error={errorOf(name) !== undefined}
      helperText={errorOf(name) ?? help}
      onChange={({ target }) => {
        take((target as HTMLInputElement).files?.[0]);
        restore.reset();
      }}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { accept } }}
    />
  );
  if (restore.data) return <Restored findings={restore.data} />;
  return (
    <FrontPage width={520} footer={t('Nothing is changed unless the whole backup is valid.')}>
      <StepForm title={t('Restore from a backup')} submitLabel={t('Restore')} isBusy={restore.isPending} onBack={onBack} onSubmit={submit}>
        {file('backup', t('Backup'), t('A file that ends in .paydesk-backup.'), '.paydesk-backup', setBackup)}
        {file('key', t('Key'), t('The file master.key, or the recovery file paydesk-recovery.json.'), '.key,.json,text/plain', setKey)}
        {needsPassphrase && (
          <PasswordField
            id="restore-passphrase"
            label={t('Passphrase or code of the recovery file')}
            purpose="current-password"
            value={passphrase}
            onValue={setPassphrase}
            error={errorOf('passphrase') !== undefined}
            helperText={errorOf('passphrase')}
          />
        )}
        <RadioGroup
          aria-label={t('Database')}
          value={isPostgres ? 'postgres' : 'sqlite'}
          onChange={(_, value) => setPostgres(value === 'postgres')}
          sx={{ gap: 3 }}
        >
          <OptionCard value="sqlite" title={t('To this computer')}>
            {t('SQLite, stored in the application’s folder.')}
          </OptionCard>
          <OptionCard value="postgres" title={t('To an empty PostgreSQL database')}>
            {t('Your own server. SQLite and PostgreSQL backups can be restored to either.')}
          </OptionCard>
        </RadioGroup>
        {isPostgres && (
          <TextField
            id="restore-databaseUrl"
            label={t('Database URL')}
            placeholder="postgres://user:password@host:5432/paydesk"
            value={databaseUrl}
            onChange={({ target }) => setDatabaseUrl(target.value)}
            error={errorOf('databaseUrl') !== undefined}
            helperText={errorOf('databaseUrl')}
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
  const isValid = isAuditValid && isLedgerRight;
  return (
    <FrontPage width={520}>
      <StepForm title={t('Paydesk is restored')} submitLabel={t('Sign in')} onSubmit={() => location.reload()} focusesSubmit>
        <Alert severity={isValid ? 'success' : 'warning'} sx={{ alignItems: 'flex-start' }}>
          {t('The backup of {{time}}: {{count, number}} transactions.', {
            time: new Date(createdAt).toLocaleString(locale()),
            count: transactions,
          })}{' '}
          {isAuditValid ? t('Audit log valid') : t('Audit log broken')}, {isLedgerRight ? t('ledger balanced') : t('ledger not balanced')}.
        </Alert>
        <Box sx={{ color: 'text.secondary' }}>
          {t(
            'Automatic charges are paused because charges made after the backup are not known here. An owner can resume them in System > Backup.',
          )}
        </Box>
      </StepForm>
    </FrontPage>
  );
}

/** Backup to restore, and the key that opens it. */
interface RestoreInput {
  readonly backup: File;
  readonly key: File;
  readonly passphrase: string;
  readonly databaseUrl: string;
}

/** Uploads a backup with its key. Resolves with its contents once it is restored. */
function restoreBackup({ backup, key, passphrase, databaseUrl }: RestoreInput) {
  const form = new FormData();
  form.set('key', key);
  if (passphrase !== '') form.set('passphrase', passphrase);
  if (databaseUrl.trim() !== '') form.set('databaseUrl', databaseUrl.trim());
  form.set('backup', backup);
  return takeData(api.POST('/api/v1/setup/restore', { body: { backup: backup.name, key: key.name }, bodySerializer: () => form }));
}

type RestoreFindings = Awaited<ReturnType<typeof restoreBackup>>;
