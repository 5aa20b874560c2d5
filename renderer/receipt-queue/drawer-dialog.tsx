import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { PrinterSetup, ReceiptPrinter } from '#renderer/desktop';
import { openDrawer } from '#renderer/printing';
import { useMerchant } from '#renderer/session';
import { Dialog, focusField, showToast } from '#renderer/ui';

const REASON_MAX = 200;

interface DrawerDialogProps {
  readonly receiptPrinter: ReceiptPrinter;
  readonly pin: NonNullable<PrinterSetup['drawerPin']>;
  readonly printer: string;
  readonly onClose: () => void;
}

/** Opens the cash drawer without a payment; the audit log records who, when and why. Mounted while it is open. */
export function DrawerDialog({ receiptPrinter, pin, printer, onClose }: DrawerDialogProps) {
  const { merchantId } = useMerchant();
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isReasonMissing = reason.trim() === '';
  const open = async () => {
    setChecked(true);
    if (isReasonMissing) return focusField('drawer-reason');
    setBusy(true);
    setProblem(undefined);
    const outcome = await openDrawer(receiptPrinter, pin, { merchantId, reason: reason.trim() });
    setBusy(false);
    if (!outcome.sent) return setProblem(outcome.problem ?? 'The printer did not accept the command.');
    showToast(`Drawer opening sent to ${printer}`);
    onClose();
  };
  return (
    <Dialog
      title="Open cash drawer"
      isOpen
      onClose={onClose}
      maxWidth="xs"
      onSubmit={() => void open()}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={isBusy}>
            Open drawer
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="drawer-reason"
          label="Reason"
          placeholder="Change for the till"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          autoFocus
          error={isChecked && isReasonMissing}
          helperText={
            isChecked && isReasonMissing
              ? 'Enter a reason. It is needed when the cash is counted.'
              : 'Saved in the audit log with your name.'
          }
          slotProps={{ htmlInput: { maxLength: REASON_MAX, autoComplete: 'off' } }}
        />
        {problem && (
          <Alert severity="error" role="alert">
            {problem}
          </Alert>
        )}
      </Box>
    </Dialog>
  );
}
