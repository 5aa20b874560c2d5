import { useDesktop } from '#renderer/desktop/bridge';
import { FrontPage } from '#renderer/kit/ui';
import { type RemainingSetup, storeRemainingSetup } from '#renderer/session/user';
import { DoneStep } from './done-step.tsx';
import { STEPS } from './draft.ts';
import { PrinterStep } from './printer-step.tsx';
import { RecoveryStep } from './recovery-step.tsx';
import { StepCount, useStepTotal } from './step-count.tsx';

interface RemainingStepsProps {
  readonly remaining: RemainingSetup;
  /** Password of the administrator if it was just entered; it is requested again after a reload. */
  readonly password?: string;
  readonly onDone: () => Promise<void>;
}

/** Steps after the business exists: printer, recovery file of a live account, first sale. A reload continues at the same step. */
export function RemainingSteps({ remaining, password = '', onDone }: RemainingStepsProps) {
  const { receiptPrinter } = useDesktop();
  const { environment } = remaining;
  const total = useStepTotal(environment);
  const go = (change: Partial<RemainingSetup>) => storeRemainingSetup({ ...remaining, ...change });
  if (remaining.step === 'printer' && receiptPrinter) {
    return (
      <FrontPage width={520}>
        <StepCount at={STEPS.length + 1} environment={environment} />
        <PrinterStep receiptPrinter={receiptPrinter} onDone={() => go({ step: stepAfterPrinter(environment) })} />
      </FrontPage>
    );
  }
  if (remaining.step !== 'done') {
    return (
      <RecoveryStep
        password={password}
        count={<StepCount at={total - 1} environment={environment} />}
        onDone={(isRecoverable) => go({ step: 'done', isRecoverable })}
      />
    );
  }
  return <DoneStep remaining={remaining} count={<StepCount at={total} environment={environment} />} onDone={onDone} />;
}

/** Returns the step after the printer: a sandbox explains the recovery file after its first sale. */
export const stepAfterPrinter = (environment: RemainingSetup['environment']) => (environment === 'live' ? 'recovery' : 'done');
