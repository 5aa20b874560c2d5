import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import { type ApiFailure, type Payout, useMoneyMutation } from '#renderer/client';
import { amountProblem, decimalText, readAmount, toMinor, writeAmount, writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { announce, CopyText, Dialog, FactList, FailureNote } from '#renderer/ui';
import { type PayoutBody, payOut } from './operations.ts';
import { refreshSettlement } from './queries.ts';
import { counted } from './words.ts';

interface PayoutDialogProps {
  readonly currency: string;
  /** All that is settled and unpaid, as the API's decimal number. */
  readonly unpaid: number;
  readonly onOpen: (payoutId: string) => void;
  readonly onClose: () => void;
}

/** Records that money was paid out: all that is settled and unpaid, unless another amount is written. */
export function PayoutDialog({ currency, unpaid, onOpen, onClose }: PayoutDialogProps) {
  const { merchantId } = useMerchant();
  // The amount in the form is paid, even if more is settled in the meantime.
  const [all] = useState(() => decimalText(toMinor(unpaid, currency), currency));
  const [text, setText] = useState(() => writeAmount(all, currency));
  const [isChecked, setChecked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const paying = useMoneyMutation((body: PayoutBody, key) => payOut(body, key), {
    onSuccess: (payout) => {
      void refreshSettlement();
      announce(`Paid out ${writeMoney(payout.amount, payout.currency)}. Reference ${payout.reference}.`);
    },
    onError: () => void refreshSettlement(),
  });
  if (paying.data) return <Done payout={paying.data} onOpen={onOpen} onClose={onClose} />;
  if (toMinor(unpaid, currency) <= 0 && !paying.error && !paying.isPending)
    return <Nothing owed={unpaid} currency={currency} onClose={onClose} />;

  const reading = readAmount(text, currency);
  const decimal = reading.kind === 'valid' ? reading.decimal : undefined;
  const most = availableOf(paying.error, currency) ?? all;
  const isOver = decimal !== undefined && toMinor(Number(decimal), currency) > toMinor(Number(most), currency);
  const isOverSaid = isOver && (isChecked || paying.error?.code === 'INVALID_AMOUNT');
  const problem = isOverSaid
    ? `${writeMoney(most, currency)} is settled and unpaid.`
    : ((isChecked ? amountProblem(text, currency) : null) ?? undefined);
  const isOpen = paying.error?.isOpen === true;
  const submit = () => {
    if (paying.isPending) return;
    setChecked(true);
    if (decimal === undefined || isOver) return input.current?.focus();
    paying.mutate({ merchantId, amount: decimal, currency });
  };
  return (
    <Dialog
      title="Pay out"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={paying.isPending}>
            {decimal === undefined ? 'Pay out' : `Pay out ${writeMoney(decimal, currency)}`}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {writeMoney(all, currency)} is settled and unpaid. The oldest settlement is paid first. Paydesk moves no money itself: it records
          the payout and gives it the reference for the bank.
        </Box>
        <Box>
          <TextField
            id="payout-amount"
            label={`Amount, ${currency}`}
            value={text}
            inputRef={input}
            autoFocus
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => {
              setText(target.value);
              setChecked(false);
            }}
            error={problem !== undefined}
            helperText={problem ?? (isOpen ? 'It is not known whether this was recorded. Try again with the same amount.' : undefined)}
            slotProps={{
              htmlInput: {
                inputMode: 'decimal',
                autoComplete: 'off',
                maxLength: 18,
                readOnly: isOpen,
                style: { textAlign: 'right', fontWeight: 600 },
              },
            }}
          />
          {isOverSaid && Number(most) > 0 && (
            <Button
              size="small"
              sx={{ mt: 2 }}
              onClick={() => {
                setText(writeAmount(most, currency));
                input.current?.focus();
              }}
            >
              Use {writeAmount(most, currency)}
            </Button>
          )}
        </Box>
        {paying.error && !isOverSaid && <FailureNote failure={paying.error} />}
      </Box>
    </Dialog>
  );
}

/** Returns the amount that INVALID_AMOUNT says can be paid out (specification 7.4). */
function availableOf(failure: ApiFailure | null, currency: string): string | undefined {
  const available = failure?.code === 'INVALID_AMOUNT' ? failure.details.availableToPayOut : undefined;
  return typeof available === 'number' ? decimalText(toMinor(available, currency), currency) : undefined;
}

function Nothing({ owed, currency, onClose }: { owed: number; currency: string; onClose: () => void }) {
  return (
    <Dialog
      title="Pay out"
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <Button onClick={onClose} autoFocus>
          Close
        </Button>
      }
    >
      {owed < 0
        ? `Refunds were settled for more than was taken: ${writeMoney(-owed, currency)} is owed, and is taken off the next payout.`
        : 'Nothing is settled and unpaid. What is taken is settled at the next cutoff, or by Settle now; then it can be paid out.'}
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
      title={`Paid out ${writeMoney(payout.amount, payout.currency)}`}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={() => onOpen(payout.payoutId)}>
            Open payout
          </Button>
          <Button variant="contained" color="primary" onClick={onClose} autoFocus>
            Done
          </Button>
        </>
      }
    >
      <FactList
        facts={[
          ['Reference', <CopyText key="reference" text={payout.reference} what="Reference" />],
          ['Pays', counted(payout.settlements.length, 'settlement')],
        ]}
      />
      <Box sx={{ mt: 3, fontSize: 13, color: 'text.secondary' }}>
        Give the bank this reference: by it the line of the statement is found.
      </Box>
    </Dialog>
  );
}
