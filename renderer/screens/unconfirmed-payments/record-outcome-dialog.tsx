import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ApiFailure, Transaction, UnconfirmedOperation } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { CopyText, Dialog, exactTime, FactList, FailureNote } from '#renderer/ui';
import { conclude, NOTE_MAX, NOTE_MIN, type RecordedOutcome, refreshUnconfirmed } from './queries.ts';
import { consequenceOf, createsPayment, operationName, paidWith } from './texts.ts';

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
  const recording = useMutation<Transaction, ApiFailure, RecordedOutcome>({
    mutationFn: (recorded) => conclude(operation.id, recorded),
    onSuccess: onRecorded,
    onSettled: () => refreshUnconfirmed(),
  });
  const submit = () => {
    setChecked(true);
    if (recording.isPending || outcome === undefined || errors.reference || errors.note) return;
    recording.mutate({ outcome, note: note.trim(), ...(needsReference && { gatewayReference: reference.trim() }) });
  };
  const operationText = operationName(operation).toLowerCase();
  return (
    <Dialog
      title={`Record outcome: ${operationText} of ${writeMoney(operation.amount, operation.currency)}`}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color={outcome === 'failed' ? 'error' : 'primary'} loading={recording.isPending}>
            {outcome === 'failed' ? 'Record as failed' : outcome === 'approved' ? 'Record as approved' : 'Record'}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {operation.words} Sign in to the gateway “{operation.gateway}” and look for this payment, first by our reference:
        </Box>
        <FactList
          facts={[
            ['Our reference', <CopyText key="reference" text={operation.processorRef} label="Our reference" />],
            ['Amount', writeMoney(operation.amount, operation.currency)],
            ['Paid with', paidWith(operation)],
            ['Customer', operation.customerName],
            ['Sent', exactTime(operation.since, timezone)],
            ['Transaction ID', <CopyText key="transaction" text={operation.transactionId} label="Transaction ID" />],
          ]}
        />
        <Box>
          <Box id={ids.choice} sx={{ fontWeight: 600, mb: 1 }}>
            What does the gateway show?
          </Box>
          <RadioGroup
            aria-labelledby={ids.choice}
            value={outcome ?? ''}
            onChange={(_, value) => setOutcome(value as RecordedOutcome['outcome'])}
          >
            <FormControlLabel value="approved" control={<Radio size="small" autoFocus />} label={`The ${operationText}, approved`} />
            <FormControlLabel value="failed" control={<Radio size="small" />} label="Nothing, or it is shown as failed" />
          </RadioGroup>
          {isChecked && errors.outcome && <Box sx={{ color: 'error.main', fontSize: 12 }}>Choose what the gateway shows.</Box>}
        </Box>
        {outcome && (
          <Alert severity={outcome === 'failed' ? 'warning' : 'info'} role="status">
            {consequenceOf(operation, outcome)}
          </Alert>
        )}
        {needsReference && (
          <TextField
            id={ids.reference}
            label="Gateway reference"
            value={reference}
            onChange={(event) => setReference(event.target.value)}
            error={isChecked && errors.reference}
            helperText={isChecked && errors.reference ? 'Copy it from the gateway. Captures and refunds need it.' : undefined}
            slotProps={{ htmlInput: { maxLength: REFERENCE_MAX, autoComplete: 'off' } }}
          />
        )}
        <TextField
          id={ids.note}
          label="What you saw at the gateway"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          error={isChecked && errors.note}
          helperText={
            isChecked && errors.note
              ? `Enter at least ${NOTE_MIN} characters. The note appears in the history.`
              : 'Saved in the history and the audit log with your name.'
          }
          slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off' } }}
        />
        {recording.error && <FailureNote failure={recording.error} />}
      </Box>
    </Dialog>
  );
}
