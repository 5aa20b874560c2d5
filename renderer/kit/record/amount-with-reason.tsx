import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount } from '#renderer/base/money';
import { focusField } from '#renderer/kit/ui';

interface AmountWithReason {
  readonly fields: ReactNode;
  /** Calls `send` with complete fields, otherwise shows what is missing. */
  readonly submit: (send: (input: { readonly amount: string; readonly reason: string }) => void) => void;
}

interface Options {
  /** Start of the IDs of the fields. */
  readonly id: string;
  readonly currency: string;
  /** Text for a missing reason. */
  readonly missingReason: string;
  readonly placeholder?: string;
}

/** Fields for an amount that moves without a payment, and its reason. */
export function useAmountWithReason({ id, currency, missingReason, placeholder }: Options): AmountWithReason {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const read = readAmount(text, currency);
  const isReasonMissing = isChecked && reason.trim() === '';
  return {
    submit: (send) => {
      setChecked(true);
      if (read.kind !== 'valid') return focusField(`${id}-amount`);
      if (reason.trim() === '') return focusField(`${id}-reason`);
      send({ amount: read.decimal, reason: reason.trim() });
    },
    fields: (
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id={`${id}-amount`}
          label={t('Amount, {{currency}}', { currency })}
          value={text}
          autoFocus
          onChange={({ target }) => setText(target.value)}
          error={isChecked && read.kind !== 'valid'}
          helperText={isChecked ? amountProblem(text, currency) : undefined}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
        />
        <TextField
          id={`${id}-reason`}
          label={t('Reason')}
          placeholder={placeholder}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          error={isReasonMissing}
          helperText={isReasonMissing ? missingReason : undefined}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 200 } }}
        />
      </Box>
    ),
  };
}
