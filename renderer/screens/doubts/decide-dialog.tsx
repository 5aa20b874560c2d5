import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ApiFailure, Doubt, Transaction } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { CopyText, Dialog, exactTime, FactList, FailureNote } from '#renderer/ui';
import { conclude, type Decision, NOTE_MAX, NOTE_MIN, refreshDoubts } from './queries.ts';
import { consequenceOf, makesPayment, paidWith, whatIs } from './words.ts';

const REFERENCE_MAX = 100;

interface DecideProps {
  readonly doubt: Doubt;
  readonly onClose: () => void;
  readonly onDecided: (transaction: Transaction) => void;
}

/** Records what a person saw on the gateway's own screens, with the consequences. */
export function DecideDialog({ doubt, onClose, onDecided }: DecideProps) {
  const { timezone } = useMerchant();
  const [outcome, setOutcome] = useState<Decision['outcome']>();
  const [reference, setReference] = useState('');
  const [note, setNote] = useState('');
  const [isJudged, setJudged] = useState(false);
  const ids = { choice: useId(), reference: useId(), note: useId() };
  const wantsReference = outcome === 'approved' && makesPayment(doubt);
  const faults = {
    outcome: outcome === undefined,
    reference: wantsReference && reference.trim() === '',
    note: note.trim().length < NOTE_MIN,
  };
  const deciding = useMutation<Transaction, ApiFailure, Decision>({
    mutationFn: (decision) => conclude(doubt.id, decision),
    onSuccess: onDecided,
    onSettled: () => refreshDoubts(),
  });
  const submit = () => {
    setJudged(true);
    if (deciding.isPending || outcome === undefined || faults.reference || faults.note) return;
    deciding.mutate({ outcome, note: note.trim(), ...(wantsReference && { gatewayReference: reference.trim() }) });
  };
  const what = whatIs(doubt).toLowerCase();
  return (
    <Dialog
      title={`Decide: ${what} of ${writeMoney(doubt.amount, doubt.currency)}`}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color={outcome === 'failed' ? 'error' : 'primary'} loading={deciding.isPending}>
            {outcome === 'failed' ? 'Record as failed' : outcome === 'approved' ? 'Record as approved' : 'Record'}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>
          {doubt.words} Sign in to the gateway “{doubt.gateway}” and look for this, by our reference first:
        </Box>
        <FactList
          facts={[
            ['Our reference', <CopyText key="reference" text={doubt.processorRef} what="Our reference" />],
            ['Amount', writeMoney(doubt.amount, doubt.currency)],
            ['Paid with', paidWith(doubt)],
            ['Customer', doubt.customerName],
            ['Sent', exactTime(doubt.since, timezone)],
            ['Transaction', <CopyText key="transaction" text={doubt.transactionId} what="Transaction id" />],
          ]}
        />
        <Box>
          <Box id={ids.choice} sx={{ fontWeight: 600, mb: 1 }}>
            What does the gateway show?
          </Box>
          <RadioGroup aria-labelledby={ids.choice} value={outcome ?? ''} onChange={(_, value) => setOutcome(value as Decision['outcome'])}>
            <FormControlLabel value="approved" control={<Radio size="small" autoFocus />} label={`It has the ${what}, approved`} />
            <FormControlLabel value="failed" control={<Radio size="small" />} label="It has nothing of it, or shows that it failed" />
          </RadioGroup>
          {isJudged && faults.outcome && <Box sx={{ color: 'error.main', fontSize: 12 }}>Choose what the gateway shows.</Box>}
        </Box>
        {outcome && (
          <Alert severity={outcome === 'failed' ? 'warning' : 'info'} role="status">
            {consequenceOf(doubt, outcome)}
          </Alert>
        )}
        {wantsReference && (
          <TextField
            id={ids.reference}
            label="The gateway’s reference of it"
            value={reference}
            onChange={(event) => setReference(event.target.value)}
            error={isJudged && faults.reference}
            helperText={isJudged && faults.reference ? 'Captures and refunds name it: copy it from the gateway.' : undefined}
            slotProps={{ htmlInput: { maxLength: REFERENCE_MAX, autoComplete: 'off' } }}
          />
        )}
        <TextField
          id={ids.note}
          label="What you saw there"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          error={isJudged && faults.note}
          helperText={
            isJudged && faults.note
              ? 'Write some words: they stand in the history.'
              : 'Kept in the history and the audit log with your name.'
          }
          slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off' } }}
        />
        {deciding.error && <FailureNote failure={deciding.error} />}
      </Box>
    </Dialog>
  );
}
