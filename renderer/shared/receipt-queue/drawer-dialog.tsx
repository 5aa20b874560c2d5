import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { useDesktop } from '#renderer/desktop/bridge';
import { openDrawer, usePrinter } from '#renderer/desktop/printing';
import { FormDialog, focusField, showToast } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';

const REASON_MAX = 200;

/** Opens the cash drawer without a sale; the shift and the audit log record who, when and why. Mounted while it is open. */
export function DrawerDialog({ onClose }: { onClose: () => void }) {
  const { merchantId } = useMerchant();
  const { receiptPrinter } = useDesktop();
  const printer = usePrinter();
  const drawer = useWorkstation((settings) => settings.drawer);
  const pin = printer?.drawerPin ?? null;
  const connected = receiptPrinter === undefined || pin === null ? null : { receiptPrinter, pin };
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
    const outcome = await openDrawer({ merchantId, drawer, reason: reason.trim() }, connected);
    setBusy(false);
    if (!outcome.sent) return setProblem(outcome.problem ?? t('The printer did not accept the command.'));
    showToast(
      connected === null
        ? t('Opening of {{drawer}} recorded', { drawer })
        : t('Drawer opening sent to {{printer}}', { printer: printer?.name ?? '' }),
    );
    onClose();
  };
  return (
    <FormDialog
      title={t('Open {{drawer}} without a sale', { drawer })}
      submitLabel={connected === null ? t('Record opening') : t('Open drawer')}
      isBusy={isBusy}
      onSubmit={() => void open()}
      onClose={onClose}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="drawer-reason"
          label={t('Reason')}
          placeholder={t('Change for the till')}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          autoFocus
          error={isChecked && isReasonMissing}
          helperText={
            isChecked && isReasonMissing
              ? t('Enter a reason. It is needed when the cash is counted.')
              : t('Saved with your name in the shift and the audit log.')
          }
          slotProps={{ htmlInput: { maxLength: REASON_MAX, autoComplete: 'off' } }}
        />
        {connected === null && (
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {t('No printer of this workstation opens the drawer. Record the opening, then use the key of the drawer.')}
          </Box>
        )}
        {problem && (
          <Alert severity="error" role="alert">
            {problem}
          </Alert>
        )}
      </Box>
    </FormDialog>
  );
}
