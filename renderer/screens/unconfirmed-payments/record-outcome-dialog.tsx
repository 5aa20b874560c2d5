import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import type { Transaction, UnconfirmedOperation } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { CopyText, FactList, FormDialog, fullTime, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { conclude, NOTE_MAX, NOTE_MIN, type RecordedOutcome, refreshUnconfirmed } from './queries.ts';
import { approvedOperationText, consequenceOf, createsPayment, operationOfAmount, paidWith } from './texts.ts';

const REFERENCE_MAX = 100;

interface RecordOutcomeProps {
  readonly operation: UnconfirmedOperation;
  readonly onClose: () => void;
  readonly onRecorded: (transaction: Transaction) => void;
}

/** Records the outcome that the user saw at the gateway, and shows the consequences. */
export function RecordOutcomeDialog({ operation, onClose, onRecorded }: RecordOutcomeProps) {
  const { timezone } = useMerchant();
  const [outcome, setOutcome] = useState<RecordedOutcome['outcome']>();
  const [reference, setReference] = useState('');
  const [note, setNote] = useState('');
  const [isChecked, setChecked] = useState(false);
  const ids = { choice: useId(), reference: useId(), note: useId() };
  const needsReference = outcome === 'approved' && createsPayment(operation);
  const errors = {
    outcome: outcome === undefined,
    reference: needsReference && reference.trim() === '',
    note: note.trim().length < NOTE_MIN,
  };
  const recording = useSubmit({
    send: (recorded: RecordedOutcome) => conclude(operation.id, recorded),
    refresh: refreshUnconfirmed,
    onDone: onRecorded,
    onClose,
  });
  const submit = () => {
    setChecked(true);
    if (outcome === undefined || errors.reference || errors.note) return;
    recording.onSubmit({ outcome, note: note.trim(), ...(needsReference && { gatewayReference: reference.trim() }) });
  };
  return (
    <FormDialog
      {...recording}
      title={t('Record outcome: {{operation}}', { operation: operationOfAmount(operation) })}
      submitLabel={outcome === 'failed' ? t('Record as failed') : outcome === 'approved' ? t('Record as approved') : t('Record')}
      isDangerous={outcome === 'failed'}
      onSubmit={submit}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {serviceText(operation.message)}{' '}
          {t('Sign in to the gateway “{{gateway}}” and look for this payment, first by our reference:', { gateway: operation.gateway })}
        </Box>
        <FactList
          facts={[
            [t('Our reference'), <CopyText key="reference" text={operation.processorRef} label={t('Our reference')} />],
            [t('Amount'), writeMoney(operation.amount, operation.currency)],
            [t('Paid with'), paidWith(operation)],
            [t('Customer'), operation.customerName],
            [t('Sent'), fullTime(operation.since, timezone)],
            [t('Transaction ID'), <CopyText key="transaction" text={operation.transactionId} label={t('Transaction ID')} />],
          ]}
        />
        <Box>
          <Box id={ids.choice} sx={{ fontWeight: 600, mb: 1 }}>
            {t('What does the gateway show?')}
          </Box>
          <RadioGroup
            aria-labelledby={ids.choice}
            value={outcome ?? ''}
            onChange={(_, value) => setOutcome(value as RecordedOutcome['outcome'])}
          >
            <FormControlLabel value="approved" control={<Radio size="small" autoFocus />} label={approvedOperationText(operation)} />
            <FormControlLabel value="failed" control={<Radio size="small" />} label={t('Nothing, or it is shown as failed')} />
          </RadioGroup>
          {isChecked && errors.outcome && <Box sx={{ color: 'error.main', fontSize: 12 }}>{t('Choose what the gateway shows.')}</Box>}
        </Box>
        {outcome && (
          <Alert severity={outcome === 'failed' ? 'warning' : 'info'} role="status">
            {consequenceOf(operation, outcome)}
          </Alert>
        )}
        {needsReference && (
          <TextField
            id={ids.reference}
            label={t('Gateway reference')}
            value={reference}
            onChange={(event) => setReference(event.target.value)}
            error={isChecked && errors.reference}
            helperText={isChecked && errors.reference ? t('Copy it from the gateway. Captures and refunds need it.') : undefined}
            slotProps={{ htmlInput: { maxLength: REFERENCE_MAX, autoComplete: 'off' } }}
          />
        )}
        <TextField
          id={ids.note}
          label={t('What you saw at the gateway')}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          error={isChecked && errors.note}
          helperText={
            isChecked && errors.note
              ? t('Enter at least {{minimum}} characters. The note appears in the history.', { minimum: NOTE_MIN })
              : t('Saved in the history and the audit log with your name.')
          }
          slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off' } }}
        />
      </Box>
    </FormDialog>
  );
}
