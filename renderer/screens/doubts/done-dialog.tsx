import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, Doubt } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { CopyText, Dialog, FactList, FailureNote } from '#renderer/ui';
import { acknowledge, NOTE_MAX, NOTE_MIN, refreshDoubts } from './queries.ts';
import { paidWith, whatIs } from './words.ts';

interface DoneProps {
  readonly doubt: Doubt;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Records how a person dealt with the consequences of an operation, and removes it from the list. */
export function DoneDialog({ doubt, onClose, onDone }: DoneProps) {
  const [note, setNote] = useState('');
  const [isJudged, setJudged] = useState(false);
  const isFaulty = note.trim().length < NOTE_MIN;
  const noting = useMutation<unknown, ApiFailure, string>({
    mutationFn: (text) => acknowledge(doubt.id, text),
    onSuccess: onDone,
    onSettled: () => refreshDoubts(),
  });
  const submit = () => {
    setJudged(true);
    if (!noting.isPending && !isFaulty) noting.mutate(note.trim());
  };
  return (
    <Dialog
      title={`Seen to: ${whatIs(doubt).toLowerCase()} of ${writeMoney(doubt.amount, doubt.currency)}`}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={noting.isPending}>
            Take it off the board
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>{doubt.words}</Box>
        <FactList
          facts={[
            ['Our reference', <CopyText key="reference" text={doubt.processorRef} what="Our reference" />],
            ['Paid with', paidWith(doubt)],
            ['Customer', doubt.customerName],
            ['Transaction', <CopyText key="transaction" text={doubt.transactionId} what="Transaction id" />],
          ]}
        />
        <TextField
          label="What you did about it"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          error={isJudged && isFaulty}
          helperText={isJudged && isFaulty ? 'Write some words: they stand in the audit log.' : 'Kept in the audit log with your name.'}
          slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off' } }}
          autoFocus
        />
        {noting.error && <FailureNote failure={noting.error} />}
      </Box>
    </Dialog>
  );
}
