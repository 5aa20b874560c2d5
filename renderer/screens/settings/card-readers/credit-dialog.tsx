import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { CardReader, Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount, writeMoney } from '#renderer/base/money';
import { Dialog, FailureNote, FormDialog, focusField, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { openReader, useMaySimulate } from '#renderer/shared/card-readers';
import { cancelOnReader, creditOnReader, creditQuery } from './requests.ts';

interface CreditDialogProps {
  readonly reader: CardReader;
  readonly onClose: () => void;
}

const AMOUNT_ID = 'reader-credit-amount';

/** Pays money to the card that the customer presents to a card reader. Mounted while it is open. */
export function CreditDialog({ reader, onClose }: CreditDialogProps) {
  const { currency } = useMerchant();
  const canSimulate = useMaySimulate();
  const [text, setText] = useState('');
  const [isChecked, setChecked] = useState(false);
  const starting = useSubmit({
    send: (amount: string, key) => creditOnReader(reader.terminalId, amount, key),
    onDone: () => canSimulate && openReader(reader.terminalId),
    onClose,
  });
  const reading = readAmount(text, currency);
  const problem = isChecked ? amountProblem(text, currency) : null;
  const submit = () => {
    setChecked(true);
    if (reading.kind !== 'valid') return focusField(AMOUNT_ID);
    starting.onSubmit(reading.decimal);
  };
  if (starting.result) return <RunningCredit reader={reader} started={starting.result} onClose={onClose} />;
  return (
    <FormDialog
      {...starting}
      title={t('Pay to a card on {{name}}', { name: reader.name })}
      submitLabel={t('Pay to a card')}
      isDangerous
      onSubmit={submit}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ color: 'text.secondary' }}>
          {t(
            'Pays money to the card that the customer presents, without a payment. To return a payment, refund it instead; no card is needed.',
          )}
        </Box>
        <TextField
          id={AMOUNT_ID}
          label={t('Amount in {{currency}}', { currency })}
          value={text}
          autoFocus
          onChange={({ target }) => setText(target.value)}
          error={problem !== null}
          helperText={problem}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 20 } }}
        />
      </Box>
    </FormDialog>
  );
}

/** Shows a credit while it runs on the reader, and its outcome. */
function RunningCredit({ reader, started, onClose }: CreditDialogProps & { readonly started: Transaction }) {
  const { data = started } = useQuery(creditQuery(started));
  const canceling = useMutation({ mutationFn: () => cancelOnReader(started.transactionId) });
  const isRunning = data.status === 'pending';
  const canCancel = isRunning && data.terminal?.state !== 'unconfirmed';
  return (
    <Dialog
      title={t('Pay to a card on {{name}}', { name: reader.name })}
      isOpen
      onClose={() => {
        if (canCancel) canceling.mutate();
        onClose();
      }}
      maxWidth="xs"
      actions={
        canCancel ? (
          <Button color="error" loading={canceling.isPending} onClick={() => canceling.mutate()}>
            {t('Cancel on the card reader')}
          </Button>
        ) : (
          <Button onClick={onClose}>{t('Close')}</Button>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 3, pt: 1 }}>
        <Box role="status" data-credit-state={data.terminal?.state}>
          {outcomeText(data, reader.name)}
        </Box>
        {isRunning && <LinearProgress aria-label={t('Waiting for the card reader')} />}
        <Link component={RouterLink} to={`/transactions/${data.transactionId}`} underline="always">
          {t('View transaction')}
        </Link>
        {canceling.error && <FailureNote failure={canceling.error} />}
      </Box>
    </Dialog>
  );
}

function outcomeText({ status, amount, currency, terminal, declineReason }: Transaction, name: string): string {
  const shown = writeMoney(amount, currency);
  if (status === 'approved') return t('Credited {{amount}}.', { amount: shown });
  if (status === 'declined') return t('Declined: {{reason}}', { reason: declineReason ?? '' });
  if (status !== 'pending') return t('Not paid. Nothing was sent to a card.');
  if (terminal?.state === 'unconfirmed') return t('{{name}} doesn’t answer, do not pay again', { name });
  return t('Ask the customer to present the card. {{amount}} will be paid to it.', { amount: shown });
}
