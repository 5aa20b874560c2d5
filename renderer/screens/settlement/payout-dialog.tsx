import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import type { ApiFailure, Payout } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, toMinor, writeAmount, writeMoney } from '#renderer/base/money';
import { announce, CopyText, Dialog, FactList, FormDialog, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { payOut } from './operations.ts';
import { refreshSettlement } from './queries.ts';

interface PayoutDialogProps {
  readonly currency: string;
  /** Settled and unpaid amount, as the API's decimal number. */
  readonly unpaid: number;
  readonly onOpen: (payoutId: string) => void;
  readonly onClose: () => void;
}

/** Records a payout of the settled and unpaid amount, or of a smaller amount. */
export function PayoutDialog({ currency, unpaid, onOpen, onClose }: PayoutDialogProps) {
  const { merchantId } = useMerchant();
  // The amount in the form is paid, even if more is settled in the meantime.
  const [all] = useState(() => decimalText(toMinor(unpaid, currency), currency));
  const [text, setText] = useState(() => writeAmount(all, currency));
  const [isChecked, setChecked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const paying = useSubmit({
    send: payOut,
    refresh: refreshSettlement,
    onDone: (payout) =>
      announce(
        t('Paid out {{amount}}. Reference {{reference}}.', {
          amount: writeMoney(payout.amount, payout.currency),
          reference: payout.reference,
        }),
      ),
    onClose,
  });
  if (paying.result) return <Done payout={paying.result} onOpen={onOpen} onClose={onClose} />;
  if (toMinor(unpaid, currency) <= 0 && !paying.failure && !paying.isBusy)
    return <NothingToPay owed={unpaid} currency={currency} onClose={onClose} />;

  const reading = readAmount(text, currency);
  const decimal = reading.kind === 'valid' ? reading.decimal : undefined;
  const maximum = availableOf(paying.failure, currency) ?? all;
  const isOver = decimal !== undefined && toMinor(Number(decimal), currency) > toMinor(Number(maximum), currency);
  const showsOverLimit = isOver && (isChecked || paying.failure?.code === 'INVALID_AMOUNT');
  const problem = showsOverLimit
    ? t('{{amount}} awaits payout.', { amount: writeMoney(maximum, currency) })
    : ((isChecked ? amountProblem(text, currency) : null) ?? undefined);
  const isOpen = paying.failure?.isUnconfirmed === true;
  const submit = () => {
    setChecked(true);
    if (decimal === undefined || isOver) return input.current?.focus();
    paying.onSubmit({ merchantId, amount: decimal, currency });
  };
  return (
    <FormDialog
      {...paying}
      failure={showsOverLimit ? null : paying.failure}
      title={t('Record payout')}
      submitLabel={decimal === undefined ? t('Record payout') : t('Record payout of {{amount}}', { amount: writeMoney(decimal, currency) })}
      onSubmit={submit}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t(
            '{{amount}} awaits payout. The oldest settlement is paid first. Paydesk doesn’t move money: it records the payout and creates a reference for the bank.',
            { amount: writeMoney(all, currency) },
          )}
        </Box>
        <Box>
          <TextField
            id="payout-amount"
            label={t('Amount, {{currency}}', { currency })}
            value={text}
            inputRef={input}
            autoFocus
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => {
              setText(target.value);
              setChecked(false);
            }}
            error={problem !== undefined}
            helperText={problem ?? (isOpen ? t('We don’t know whether this was recorded. Try again with the same amount.') : undefined)}
            slotProps={{
              htmlInput: {
                inputMode: 'decimal',
                autoComplete: 'off',
                maxLength: 18,
                readOnly: isOpen,
                style: { textAlign: 'end', fontWeight: 600 },
              },
            }}
          />
          {showsOverLimit && Number(maximum) > 0 && (
            <Button
              size="small"
              sx={{ mt: 2 }}
              onClick={() => {
                setText(writeAmount(maximum, currency));
                input.current?.focus();
              }}
            >
              {t('Use {{amount}}', { amount: writeAmount(maximum, currency) })}
            </Button>
          )}
        </Box>
      </Box>
    </FormDialog>
  );
}

/** Returns the amount that INVALID_AMOUNT says can be paid out. */
function availableOf(failure: ApiFailure | null, currency: string): string | undefined {
  const available = failure?.code === 'INVALID_AMOUNT' ? failure.details.availableToPayOut : undefined;
  return typeof available === 'number' ? decimalText(toMinor(available, currency), currency) : undefined;
}

function NothingToPay({ owed, currency, onClose }: { owed: number; currency: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('Record payout')}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <Button onClick={onClose} autoFocus>
          {t('Close')}
        </Button>
      }
    >
      {owed < 0
        ? t('Settled refunds exceed captures: {{amount}} is owed and deducted from the next payout.', {
            amount: writeMoney(-owed, currency),
          })
        : t('No settled amount is unpaid. Payments are settled at the next cutoff or with Settle now; then you can pay them out.')}
    </Dialog>
  );
}

interface DoneProps {
  readonly payout: Payout;
  readonly onOpen: (payoutId: string) => void;
  readonly onClose: () => void;
}

function Done({ payout, onOpen, onClose }: DoneProps) {
  return (
    <Dialog
      title={t('Paid out {{amount}}', { amount: writeMoney(payout.amount, payout.currency) })}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={() => onOpen(payout.payoutId)}>
            {t('Open payout')}
          </Button>
          <Button variant="contained" color="primary" onClick={onClose} autoFocus>
            {t('Done')}
          </Button>
        </>
      }
    >
      <FactList
        facts={[
          [t('Reference'), <CopyText key="reference" text={payout.reference} label={t('Reference')} />],
          [t('Settlements paid'), t('{{count, number}} settlements', { count: payout.settlements.length })],
        ]}
      />
      <Box sx={{ mt: 3, fontSize: 13, color: 'text.secondary' }}>
        {t('Use this reference with the bank so that you can find the transfer on your statement.')}
      </Box>
    </Dialog>
  );
}
