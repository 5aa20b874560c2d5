import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, takeData } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { FailureNote, PASSWORD_LENGTH_MIN, PasswordField } from '#renderer/kit/ui';
import { explainDatabaseError } from './database-error-texts.ts';
import { useDraft } from './draft.ts';
import { OptionCard } from './option-card.tsx';
import { StepForm } from './step-form.tsx';

interface DatabaseStepProps {
  readonly isBusy: boolean;
  /** Password of the administrator. It is requested again if a reload cleared it. */
  readonly password: string;
  readonly onPassword: (password: string) => void;
  readonly onDone: () => void;
  readonly onBack: () => void;
  /** Called to connect to the installation that the database already contains. */
  readonly onJoin: () => void;
}

/** Location of the data. A PostgreSQL database is checked before it is used. */
export function DatabaseStep({ isBusy, password, onPassword, onDone, onBack, onJoin }: DatabaseStepProps) {
  const { database, databaseUrl, change } = useDraft();
  const check = useMutation({
    mutationFn: () => takeData(api.POST('/api/v1/setup/database-check', { body: { databaseUrl: databaseUrl.trim() } })),
  });
  const isPostgres = database === 'postgres';
  const isMissing = isPostgres && databaseUrl.trim() === '';
  const [isPasswordLost] = useState(password.length < PASSWORD_LENGTH_MIN);
  const [wasSubmitted, setSubmitted] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);
  const isPasswordShort = password.length < PASSWORD_LENGTH_MIN;

  const submit = async () => {
    if (isMissing) return;
    if (isPasswordShort) {
      setSubmitted(true);
      passwordField.current?.focus();
      return;
    }
    const found = isPostgres ? (check.data ?? (await check.mutateAsync().catch(() => undefined))) : undefined;
    if (!isPostgres || (found?.ok && !found.holdsInstallation)) onDone();
  };

  return (
    <StepForm
      title={t('Database')}
      submitLabel={t('Set up Paydesk')}
      isBusy={isBusy || check.isPending}
      {...(isBusy && {
        busyTexts: {
          label: t('Setting up Paydesk…'),
          note: t('Creating the database, its keys and, if you chose it, sample data. This takes a few seconds.'),
        },
      })}
      onBack={onBack}
      onSubmit={() => void submit()}
    >
      {isPasswordLost && (
        <PasswordField
          id="password-again"
          label={t('The administrator’s password again')}
          purpose="new-password"
          value={password}
          onValue={onPassword}
          inputRef={passwordField}
          autoFocus
          error={wasSubmitted && isPasswordShort}
          helperText={t('A page reload clears the password. {{minimum}} or more characters.', { minimum: PASSWORD_LENGTH_MIN })}
        />
      )}
      <RadioGroup
        aria-label={t('Database')}
        value={database}
        onChange={(_, value) => change({ database: value === 'postgres' ? 'postgres' : 'sqlite' })}
        sx={{ gap: 3 }}
      >
        <OptionCard value="sqlite" title={t('On this computer')} autoFocus={!isPostgres && !isPasswordLost}>
          {t('SQLite, stored in the application’s folder. Nothing to install. Best for one workstation.')}
        </OptionCard>
        <OptionCard value="postgres" title="PostgreSQL" autoFocus={isPostgres && !isPasswordLost}>
          {t('Your own server, for several workstations that share their data.')}
        </OptionCard>
      </RadioGroup>
      {isPostgres && (
        <Box sx={{ display: 'grid', gap: 3 }}>
          <TextField
            id="database-url"
            label={t('Database URL')}
            placeholder="postgres://user:password@host:5432/paydesk"
            value={databaseUrl}
            onChange={(event) => {
              change({ databaseUrl: event.target.value });
              check.reset();
            }}
            slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 500, className: 'mono' } }}
          />
          <Box sx={{ display: 'flex', gap: 3, alignItems: 'center' }}>
            <Button onClick={() => check.mutate()} loading={check.isPending} disabled={isMissing}>
              {t('Test connection')}
            </Button>
          </Box>
          {check.data?.holdsInstallation ? (
            <Alert
              severity="info"
              sx={{ alignItems: 'flex-start' }}
              action={
                <Button size="small" onClick={onJoin}>
                  {t('Connect')}
                </Button>
              }
            >
              {t('This database already contains a Paydesk installation. Connect to it with its key, or choose an empty database.')}
            </Alert>
          ) : (
            check.data && <CheckResult ok={check.data.ok} message={check.data.message} />
          )}
          {check.error && <FailureNote failure={check.error} />}
        </Box>
      )}
    </StepForm>
  );
}

function CheckResult({ ok, message }: { ok: boolean; message: string }) {
  const explanation = ok ? undefined : explainDatabaseError(message);
  return (
    <Alert severity={ok ? 'success' : 'error'} sx={{ alignItems: 'flex-start' }}>
      {explanation ?? serviceText(message)}
      {explanation && (
        <Box className="mono" sx={{ mt: 1, fontSize: 12, overflowWrap: 'anywhere' }}>
          {message}
        </Box>
      )}
    </Alert>
  );
}
