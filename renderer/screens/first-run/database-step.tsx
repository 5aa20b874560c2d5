import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { api, takeData } from '#renderer/client';
import { FailureNote } from '#renderer/ui';
import { meaningOf } from './database-words.ts';
import { useDraft } from './draft.ts';
import { OptionCard } from './option-card.tsx';
import { StepForm } from './step-form.tsx';

export interface DatabaseStepProps {
  readonly isBusy: boolean;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

/** Where everything is kept. PostgreSQL is tried before it is used. */
export function DatabaseStep({ isBusy, onDone, onBack }: DatabaseStepProps) {
  const { database, databaseUrl, change } = useDraft();
  const check = useMutation({
    mutationFn: () => takeData(api.POST('/api/v1/setup/database-check', { body: { databaseUrl: databaseUrl.trim() } })),
  });
  const isPostgres = database === 'postgres';
  const isMissing = isPostgres && databaseUrl.trim() === '';

  const submit = async () => {
    if (isMissing) return;
    if (isPostgres && !check.data?.ok && !(await check.mutateAsync().catch(() => undefined))?.ok) return;
    onDone();
  };

  return (
    <StepForm
      title="Database"
      submitLabel="Set up Paydesk"
      isBusy={isBusy || check.isPending}
      onBack={onBack}
      onSubmit={() => void submit()}
    >
      <RadioGroup
        aria-label="Database"
        value={database}
        onChange={(_, value) => change({ database: value === 'postgres' ? 'postgres' : 'sqlite' })}
        sx={{ gap: 3 }}
      >
        <OptionCard value="sqlite" title="On this machine" autoFocus={!isPostgres}>
          SQLite in the application's folder. Nothing to install; right for one desk.
        </OptionCard>
        <OptionCard value="postgres" title="PostgreSQL" autoFocus={isPostgres}>
          A server of yours, for several desks that share one set of books.
        </OptionCard>
      </RadioGroup>
      {isPostgres && (
        <Box sx={{ display: 'grid', gap: 3 }}>
          <TextField
            id="database-url"
            label="Address"
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
              Test connection
            </Button>
          </Box>
          {check.data && <CheckResult ok={check.data.ok} message={check.data.message} />}
          {check.error && <FailureNote failure={check.error} />}
        </Box>
      )}
    </StepForm>
  );
}

function CheckResult({ ok, message }: { ok: boolean; message: string }) {
  const meaning = ok ? undefined : meaningOf(message);
  return (
    <Alert severity={ok ? 'success' : 'error'} sx={{ alignItems: 'flex-start' }}>
      {meaning ?? message}
      {meaning && (
        <Box className="mono" sx={{ mt: 1, fontSize: 12, overflowWrap: 'anywhere' }}>
          {message}
        </Box>
      )}
    </Alert>
  );
}
