import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { type ReceiptPrinter, useDesktop } from '#renderer/desktop/bridge';
import { PrinterFields, usePrinterForm } from '#renderer/desktop/printing';
import { FrontPage } from '#renderer/kit/ui';
import { type RemainingSetup, storeRemainingSetup } from '#renderer/session/user';
import { DoneStep } from './done-step.tsx';
import { STEPS } from './draft.ts';
import { RecoveryStep } from './recovery-step.tsx';
import { StepCount, useStepTotal } from './step-count.tsx';
import { StepForm } from './step-form.tsx';

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

interface PrinterStepProps {
  readonly receiptPrinter: ReceiptPrinter;
  /** Continues, whether or not a printer was set up. */
  readonly onDone: () => void;
}

/** Optional setup of the receipt printer. Only in the desktop application, because a browser prints with its own dialog. */
function PrinterStep({ receiptPrinter, onDone }: PrinterStepProps) {
  const form = usePrinterForm(null, receiptPrinter);
  const save = async () => {
    if (await form.save()) onDone();
  };
  return (
    <StepForm title={t('Receipt printer')} submitLabel={t('Save printer')} isBusy={form.busyWith === 'save'} onSubmit={() => void save()}>
      <PrinterFields form={form} showsCopiesAndDrawer={false} />
      <Box sx={{ display: 'flex', gap: 3 }}>
        <Button onClick={() => void form.test()} loading={form.busyWith === 'test'}>
          {t('Print test page')}
        </Button>
        <Button variant="text" onClick={onDone} autoFocus>
          {t('Skip for now')}
        </Button>
      </Box>
    </StepForm>
  );
}
