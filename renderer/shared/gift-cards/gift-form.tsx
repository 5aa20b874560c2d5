import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount, writeMoney } from '#renderer/base/money';
import { announce, focusField, PanelForm } from '#renderer/kit/ui';
import { refreshGiftCards } from './queries.ts';

export interface Given {
  readonly balance: number;
  /** Code of a new card. */
  readonly code?: string | null;
}

interface GiftFormProps {
  readonly title: string;
  readonly send: (gift: { readonly amount: string; readonly reason: string }, key: string) => Promise<Given>;
  readonly onGiven?: (given: Given) => void;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Gives an amount without a payment, with a reason. */
export function GiftForm({ title, send, onGiven, currency, onClose }: GiftFormProps) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const read = readAmount(text, currency);
  const giving = useMoneyMutation((amount: string, key) => send({ amount, reason: reason.trim() }, key), {
    onSuccess: (given) => {
      announce(t('Balance {{amount}}', { amount: writeMoney(given.balance, currency) }));
      onGiven?.(given);
      void refreshGiftCards();
      onClose();
    },
  });
  const submit = () => {
    setChecked(true);
    if (read.kind !== 'valid') return focusField('gift-amount');
    if (reason.trim() === '') return focusField('gift-reason');
    giving.mutate(read.decimal);
  };
  return (
    <PanelForm
      title={title}
      explanation={t('The customer pays nothing for it.')}
      submitLabel={title}
      isBusy={giving.isPending}
      failure={giving.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        <TextField
          id="gift-amount"
          label={t('Amount, {{currency}}', { currency })}
          value={text}
          autoFocus
          onChange={({ target }) => setText(target.value)}
          error={isChecked && read.kind !== 'valid'}
          helperText={isChecked ? amountProblem(text, currency) : undefined}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
        />
        <TextField
          id="gift-reason"
          label={t('Reason')}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          error={isChecked && reason.trim() === ''}
          helperText={isChecked && reason.trim() === '' ? t('Enter the reason.') : undefined}
          slotProps={{ htmlInput: { maxLength: 200 } }}
        />
      </Box>
    </PanelForm>
  );
}
