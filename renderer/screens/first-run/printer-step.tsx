import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReceiptPrinter } from '#renderer/desktop';
import { PrinterFields, usePrinterForm } from '#renderer/printing';
import { StepForm } from './step-form.tsx';

interface PrinterStepProps {
  readonly receiptPrinter: ReceiptPrinter;
  /** Continues, whether or not a printer was set up. */
  readonly onDone: () => void;
}

/** The receipt printer, which can wait (experience 2.1). In the desktop application alone: a browser's own dialog prints. */
export function PrinterStep({ receiptPrinter, onDone }: PrinterStepProps) {
  const form = usePrinterForm(null, receiptPrinter);
  const save = async () => {
    if (await form.save()) onDone();
  };
  return (
    <StepForm title="Receipt printer" submitLabel="Save printer" isBusy={form.busyWith === 'save'} onSubmit={() => void save()}>
      <PrinterFields form={form} withDesk={false} />
      <Box sx={{ display: 'flex', gap: 3 }}>
        <Button onClick={() => void form.test()} loading={form.busyWith === 'test'}>
          Print a test page
        </Button>
        <Button variant="text" onClick={onDone} autoFocus>
          Skip, set up later
        </Button>
      </Box>
    </StepForm>
  );
}
