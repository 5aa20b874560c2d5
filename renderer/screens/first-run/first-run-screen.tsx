import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type SetUp, takeData } from '#renderer/client';
import { rememberEmail } from '#renderer/session';
import { FailureNote, FrontPage } from '#renderer/ui';
import { AdministratorStep } from './administrator-step.tsx';
import { BusinessStep } from './business-step.tsx';
import { DatabaseStep } from './database-step.tsx';
import { DoneStep } from './done-step.tsx';
import { type Draft, forgetDraft, STEPS, type Step, useDraft } from './draft.ts';
import { EnvironmentStep } from './environment-step.tsx';

/** From an empty disk to the sell screen: four steps, three typed fields. */
export function FirstRunScreen() {
  const { step, change } = useDraft();
  const [password, setPassword] = useState('');
  const setUp = useMutation({
    mutationFn: () => takeData(api.POST('/api/v1/setup', { body: bodyOf(useDraft.getState(), password) })),
    onSuccess: () => {
      rememberEmail(useDraft.getState().email.trim());
      forgetDraft();
    },
    onError: (failure) => {
      const blamed = stepOf(failure.field);
      if (blamed) change({ step: blamed });
    },
  });
  const at = STEPS.indexOf(step);
  const go = (by: number) => {
    setUp.reset();
    change({ step: STEPS[at + by] ?? step });
  };
  if (setUp.data) return <DoneStep signedIn={setUp.data} />;
  return (
    <FrontPage width={520} footer="Everything stays on this machine. No account, no network needed.">
      <Box
        component="p"
        sx={{ m: 0, mb: 2, fontSize: 12, fontWeight: 550, color: 'text.secondary' }}
      >{`Set-up, step ${at + 1} of ${STEPS.length}`}</Box>
      {step === 'environment' && <EnvironmentStep onDone={() => go(1)} />}
      {step === 'business' && <BusinessStep onDone={() => go(1)} onBack={() => go(-1)} />}
      {step === 'administrator' && (
        <AdministratorStep password={password} onPassword={setPassword} onDone={() => go(1)} onBack={() => go(-1)} />
      )}
      {step === 'database' && <DatabaseStep isBusy={setUp.isPending} onDone={() => setUp.mutate()} onBack={() => go(-1)} />}
      {setUp.error && (
        <Box sx={{ mt: 5 }}>
          <FailureNote failure={setUp.error} />
        </Box>
      )}
    </FrontPage>
  );
}

function bodyOf(draft: Draft, password: string): SetUp {
  const { businessName, currency, timezone, email, environment, sampleData, database, databaseUrl } = draft;
  return {
    businessName: businessName.trim(),
    currency,
    timezone,
    email: email.trim(),
    password,
    environment,
    sampleData: environment === 'sandbox' && sampleData,
    ...(database === 'postgres' && { databaseUrl: databaseUrl.trim() }),
  };
}

const STEP_OF_FIELD: Readonly<Record<string, Step>> = {
  businessName: 'business',
  currency: 'business',
  timezone: 'business',
  email: 'administrator',
  password: 'administrator',
};

function stepOf(field: string | undefined): Step | undefined {
  return field === undefined ? undefined : STEP_OF_FIELD[field];
}
