import { useDesktop } from '#renderer/desktop';
import { noteSetUpLeft, type SetUpLeft } from '#renderer/session';
import { FrontPage } from '#renderer/ui';
import { DoneStep } from './done-step.tsx';
import { STEPS } from './draft.ts';
import { PrinterStep } from './printer-step.tsx';
import { RecoveryStep } from './recovery-step.tsx';
import { StepCount, useStepTotal } from './step-count.tsx';

interface RestOfSetUpProps {
  readonly left: SetUpLeft;
  /** The administrator's, where it was just typed; after a reload it is asked for again. */
  readonly password?: string;
  readonly onDone: () => Promise<void>;
}

/** Steps after the business exists: printer, recovery file, test sale. A reload continues at the same step. */
export function RestOfSetUp({ left, password = '', onDone }: RestOfSetUpProps) {
  const { receiptPrinter } = useDesktop();
  const total = useStepTotal();
  const go = (change: Partial<SetUpLeft>) => noteSetUpLeft({ ...left, ...change });
  if (left.step === 'printer' && receiptPrinter) {
    return (
      <FrontPage width={520}>
        <StepCount at={STEPS.length + 1} />
        <PrinterStep receiptPrinter={receiptPrinter} onDone={() => go({ step: 'recovery' })} />
      </FrontPage>
    );
  }
  if (left.step !== 'done') {
    return (
      <RecoveryStep
        password={password}
        count={<StepCount at={total - 1} />}
        onDone={(isRecoverable) => go({ step: 'done', isRecoverable })}
      />
    );
  }
  return <DoneStep left={left} count={<StepCount at={total} />} onDone={onDone} />;
}
