import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type SetupBody, setCredential, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { FailureNote, FrontPage } from '#renderer/kit/ui';
import { clearRemainingSetup, openSession, rememberEmail, storeRemainingSetup, useRemainingSetup } from '#renderer/session/user';
import { AdministratorStep } from './administrator-step.tsx';
import { BusinessStep } from './business-step.tsx';
import { DatabaseStep } from './database-step.tsx';
import { type Draft, forgetDraft, STEPS, type Step, useDraft } from './draft.ts';
import { EnvironmentStep } from './environment-step.tsx';
import { JoinStep } from './join-step.tsx';
import { RemainingSteps, stepAfterPrinter } from './remaining-steps.tsx';
import { RestoreStep } from './restore-step.tsx';
import { StepCount } from './step-count.tsx';

/** First run: from an empty disk to the Sell screen with three typed fields. */
export function FirstRunScreen() {
  const { step, environment, change } = useDraft();
  const [password, setPassword] = useState('');
  const [isRestoring, setRestoring] = useState(false);
  const [isJoining, setJoining] = useState(false);
  const { receiptPrinter } = useDesktop();
  const remaining = useRemainingSetup();
  const setUp = useMutation({
    mutationFn: () => takeData(api.POST('/api/v1/setup', { body: bodyOf(useDraft.getState(), password) })),
    onSuccess: (signedIn) => {
      // The remaining steps send requests as the new administrator.
      setCredential(signedIn);
      const { email, businessName } = useDraft.getState();
      rememberEmail(email.trim());
      storeRemainingSetup({
        step: receiptPrinter ? 'printer' : stepAfterPrinter(environment),
        environment,
        businessName,
        email: signedIn.user.email,
        isRecoverable: false,
      });
      forgetDraft();
    },
    onError: (failure) => {
      const failedStep = stepOf(failure.field);
      if (failedStep) change({ step: failedStep });
    },
  });
  const at = STEPS.indexOf(step);
  const go = (offset: number) => {
    setUp.reset();
    change({ step: STEPS[at + offset] ?? step });
  };
  const signedIn = setUp.data;
  if (signedIn && remaining) {
    const finish = async () => {
      await openSession(signedIn);
      clearRemainingSetup();
    };
    return <RemainingSteps remaining={remaining} password={password} onDone={finish} />;
  }
  if (isRestoring) return <RestoreStep onBack={() => setRestoring(false)} />;
  if (isJoining) return <JoinStep onBack={() => setJoining(false)} />;
  return (
    <FrontPage width={520} footer={t('All data stays on this computer. No account or network needed.')}>
      <StepCount at={at + 1} environment={environment} />
      {step === 'environment' && (
        <EnvironmentStep onDone={() => go(1)} onRestore={() => setRestoring(true)} onJoin={() => setJoining(true)} />
      )}
      {step === 'business' && <BusinessStep onDone={() => go(1)} onBack={() => go(-1)} />}
      {step === 'administrator' && (
        <AdministratorStep password={password} onPassword={setPassword} onDone={() => go(1)} onBack={() => go(-1)} />
      )}
      {step === 'database' && (
        <DatabaseStep
          isBusy={setUp.isPending}
          password={password}
          onPassword={setPassword}
          onDone={() => setUp.mutate()}
          onBack={() => go(-1)}
          onJoin={() => setJoining(true)}
        />
      )}
      {setUp.error && (
        <Box sx={{ mt: 5 }}>
          <FailureNote failure={setUp.error} />
        </Box>
      )}
    </FrontPage>
  );
}

function bodyOf(draft: Draft, password: string): SetupBody {
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
