import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Shift } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, writeMoney } from '#renderer/base/money';
import { useAmountWithReason } from '#renderer/kit/record';
import { announce, Dialog, FailureNote, FormDialog, focusField, keyTip, MoneyText, useShortcuts, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { ParkedSalesQuestion } from '#renderer/shared/orders';
import { usePrintReceipt } from '#renderer/shared/receipt';
import { refreshCash } from '#renderer/shared/tenders';
import { CountFields, firstFieldOf, useCount } from './count-fields.tsx';
import { type Count, closeShift, explainVariance, moveCash, openShift, shiftsQuery } from './queries.ts';

/** A float above this multiple of the last one is probably a slip. */
const UNUSUAL_TIMES = 5;

interface OpenShiftDialogProps {
  readonly drawer: string;
  readonly onClose: () => void;
  readonly onOpened?: () => void;
}

/** Opens a shift with a counted float. Mounted while it is open. */
export function OpenShiftDialog({ drawer, onClose, onOpened }: OpenShiftDialogProps) {
  const { merchantId, currency } = useMerchant();
  // A typed sum would be a number of notes in the field of the first note.
  const entry = useCount(currency, 'sum');
  const first = firstFieldOf(entry);
  const lastFloat = useQuery(shiftsQuery({ merchantId, drawer }, 1)).data?.items[0]?.floatAmount ?? 0;
  const counted = entry.totalMinor === undefined ? 0 : Number(decimalText(entry.totalMinor, currency));
  const opening = useSubmit({
    send: (count: Count, key) => openShift({ ...count, drawer, merchantId }, key),
    refresh: refreshCash,
    toast: (shift) => t('Shift opened with {{amount}}', { amount: writeMoney(shift.floatAmount, shift.currency) }),
    onDone: () => {
      onClose();
      onOpened?.();
    },
    onClose,
  });
  return (
    <FormDialog
      {...opening}
      title={t('Open shift at {{drawer}}', { drawer })}
      submitLabel={t('Open shift')}
      isDisabled={entry.count === undefined}
      onSubmit={() => (entry.count === undefined ? focusField(first) : opening.onSubmit(entry.count))}
      maxWidth="sm"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ color: 'text.secondary' }}>{t('Count the cash in the drawer. It is the float of the shift.')}</Box>
        <CountFields entry={entry} />
        {lastFloat > 0 && counted > UNUSUAL_TIMES * lastFloat && (
          <Alert severity="warning">
            {t('This is more than five times the last float of {{amount}}.', { amount: writeMoney(lastFloat, currency) })}
          </Alert>
        )}
      </Box>
    </FormDialog>
  );
}

interface CashMovementDialogProps {
  readonly shift: Shift;
  readonly kind: 'pay-in' | 'pay-out';
  readonly onClose: () => void;
}

/** Puts cash into a drawer, or takes it out, with a reason. Mounted while it is open. */
export function CashMovementDialog({ shift: { shiftId, currency, drawer }, kind, onClose }: CashMovementDialogProps) {
  const { fields, submit } = useAmountWithReason({
    id: 'cash',
    currency,
    missingReason: t('Enter a reason. It is printed on the report.'),
    placeholder: kind === 'pay-in' ? t('Change from the bank') : t('Cleaning supplies'),
  });
  const name = kind === 'pay-in' ? t('Pay in') : t('Pay out', { context: 'cash' });
  const moving = useSubmit({
    send: (movement: { readonly amount: string; readonly reason: string }, key) => moveCash(shiftId, kind, movement, key),
    refresh: refreshCash,
    toast: (_, movement) => {
      const amount = writeMoney(movement.amount, currency);
      return kind === 'pay-in' ? t('Paid in {{amount}}', { amount }) : t('Paid out {{amount}}', { context: 'cash', amount });
    },
    onClose,
  });
  return (
    <FormDialog {...moving} title={`${name}: ${drawer}`} submitLabel={name} onSubmit={() => submit(moving.onSubmit)} maxWidth="xs">
      {fields}
    </FormDialog>
  );
}

/** Counts the cash without showing the expected amount, closes the shift, and shows the variance. Mounted while it is open. */
export function CloseShiftDialog({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const entry = useCount(shift.currency, 'notes');
  const first = firstFieldOf(entry);
  const closing = useSubmit({
    send: (count: Count, key) => closeShift(shift.shiftId, count, key),
    refresh: refreshCash,
    onDone: (closed) =>
      announce(t('Shift closed. Variance {{amount}}.', { amount: writeMoney(closed.varianceAmount ?? 0, closed.currency) })),
    onClose,
  });
  if (closing.result !== undefined) return <ClosedShiftDialog shift={closing.result} onClose={onClose} />;
  return (
    <FormDialog
      {...closing}
      title={t('Close shift at {{drawer}}', { drawer: shift.drawer })}
      submitLabel={t('Close shift')}
      isDisabled={entry.count === undefined}
      onSubmit={() => (entry.count === undefined ? focusField(first) : closing.onSubmit(entry.count))}
      maxWidth="sm"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ color: 'text.secondary' }}>
          {t('Count the cash in the drawer. The expected amount appears after the close, which you can’t undo.')}
        </Box>
        <CountFields entry={entry} />
      </Box>
    </FormDialog>
  );
}

/** Shows the result of a count, and asks for an explanation of a variance. */
function ClosedShiftDialog({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { shiftId, currency, expectedAmount, countedAmount, varianceAmount, zNumber } = shift;
  const [note, setNote] = useState('');
  const print = usePrintReceipt();
  const variance = varianceAmount ?? 0;
  const explaining = useSubmit({ send: () => explainVariance(shiftId, note.trim()), refresh: refreshCash, onClose });
  const printZ = () => void print({ shift, copy: 'merchant' });
  return (
    <Dialog
      title={t('Z report {{number}}', { number: zNumber ?? '' })}
      isOpen
      onClose={onClose}
      maxWidth="sm"
      onSubmit={() => (note.trim() === '' ? onClose() : explaining.onSubmit())}
      actions={
        <>
          <PrintZButton onPrint={printZ} />
          <Button type="submit" variant="contained" color="primary" loading={explaining.isBusy} autoFocus={variance === 0}>
            {t('Done')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <ParkedSalesQuestion />
        <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: '1fr auto', rowGap: 2, alignItems: 'baseline' }}>
          <dt>{t('Expected')}</dt>
          <Box component="dd" sx={{ m: 0, textAlign: 'end' }}>
            <MoneyText amount={expectedAmount ?? 0} currency={currency} />
          </Box>
          <dt>{t('Counted')}</dt>
          <Box component="dd" sx={{ m: 0, textAlign: 'end' }}>
            <MoneyText amount={countedAmount ?? 0} currency={currency} />
          </Box>
          <dt>{t('Variance')}</dt>
          <Box
            component="dd"
            data-variance
            sx={(theme) => ({
              m: 0,
              textAlign: 'end',
              fontSize: 32,
              lineHeight: '40px',
              fontWeight: 600,
              color: variance === 0 ? theme.vars.palette.tone.success.main : theme.vars.palette.tone.warning.main,
            })}
          >
            <MoneyText amount={variance} currency={currency} code />
          </Box>
        </Box>
        {variance !== 0 && (
          <TextField
            id="shift-note"
            label={t('Explanation of the variance (optional)')}
            value={note}
            autoFocus
            onChange={({ target }) => setNote(target.value)}
            helperText={t('It can be written once. The Z report stays as it is.')}
            slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 500 } }}
          />
        )}
        {explaining.failure && <FailureNote failure={explaining.failure} />}
      </Box>
    </Dialog>
  );
}

function PrintZButton({ onPrint }: { onPrint: () => void }) {
  useShortcuts(t('This shift'), [{ keys: 'Mod+P', label: t('Print the Z report'), run: onPrint }]);
  return (
    <Button onClick={onPrint} {...keyTip('Mod+P')}>
      {t('Print Z report')}
    </Button>
  );
}
