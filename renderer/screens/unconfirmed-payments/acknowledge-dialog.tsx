import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, UnconfirmedOperation } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { CopyText, FactList, FormDialog } from '#renderer/kit/ui';
import { acknowledge, NOTE_MAX, NOTE_MIN, refreshUnconfirmed } from './queries.ts';
import { operationOfAmount, paidWith } from './texts.ts';

interface AcknowledgeProps {
  readonly operation: UnconfirmedOperation;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Records how the user resolved the consequences of an operation, and removes it from the list. */
export function AcknowledgeDialog({ operation, onClose, onDone }: AcknowledgeProps) {
  const [note, setNote] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isNoteTooShort = note.trim().length < NOTE_MIN;
  const acknowledging = useMutation<unknown, ApiFailure, string>({
    mutationFn: (text) => acknowledge(operation.id, text),
    onSuccess: onDone,
    onSettled: () => refreshUnconfirmed(),
  });
  const submit = () => {
    setChecked(true);
    if (!acknowledging.isPending && !isNoteTooShort) acknowledging.mutate(note.trim());
  };
  return (
    <FormDialog
      title={t('Resolve: {{operation}}', { operation: operationOfAmount(operation) })}
      submitLabel={t('Remove from list')}
      isBusy={acknowledging.isPending}
      onSubmit={submit}
      failure={acknowledging.error}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>{serviceText(operation.message)}</Box>
        <FactList
          facts={[
            [t('Our reference'), <CopyText key="reference" text={operation.processorRef} label={t('Our reference')} />],
            [t('Paid with'), paidWith(operation)],
            [t('Customer'), operation.customerName],
            [t('Transaction ID'), <CopyText key="transaction" text={operation.transactionId} label={t('Transaction ID')} />],
          ]}
        />
        <TextField
          label={t('What you did')}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          error={isChecked && isNoteTooShort}
          helperText={
            isChecked && isNoteTooShort
              ? t('Enter at least {{minimum}} characters. The note appears in the audit log.', { minimum: NOTE_MIN })
              : t('Saved in the audit log with your name.')
          }
          slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off' } }}
          autoFocus
        />
      </Box>
    </FormDialog>
  );
}
