import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import type { ReceiptPrinter } from '#renderer/desktop/bridge';
import { PrinterFields, usePrinterForm } from '#renderer/desktop/printing';
import { StepForm } from './step-form.tsx';

interface PrinterStepProps {
  readonly receiptPrinter: ReceiptPrinter;
  /** Continues, whether or not a printer was set up. */
  readonly onDone: () => void;
}

/** Optional setup of the receipt printer. Only in the desktop application, because a browser prints with its own dialog. */
export function PrinterStep({ receiptPrinter, onDone }: PrinterStepProps) {
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
