import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { UnconfirmedOperation } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { CopyText, FactList, FormDialog, useSubmit } from '#renderer/kit/ui';
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
  const acknowledging = useSubmit({
    send: (text: string) => acknowledge(operation.id, text),
    refresh: refreshUnconfirmed,
    onDone,
    onClose,
  });
  const submit = () => {
    setChecked(true);
    if (!isNoteTooShort) acknowledging.onSubmit(note.trim());
  };
  return (
    <FormDialog
      {...acknowledging}
      title={t('Resolve: {{operation}}', { operation: operationOfAmount(operation) })}
      submitLabel={t('Remove from list')}
      onSubmit={submit}
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
