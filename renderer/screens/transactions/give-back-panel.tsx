import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useState } from 'react';
import type { Refund, Transaction } from '#renderer/client';
import { decimalText, toMinor, writeMoney } from '#renderer/money';
import { PanelForm, ReasonField } from '#renderer/ui';
import type { ActionPanelProps } from './action-panel-props.ts';
import { voidsInstead } from './actions.ts';
import { useAmountEntry } from './amount-entry.ts';
import { BoundedAmount } from './bounded-amount.tsx';
import { refundTransaction, voidTransaction } from './operations.ts';
import type { Result } from './result-note.tsx';
import { leftOf } from './standing.ts';
import { useOperation } from './use-operation.ts';

const VOID_WORDS = 'Not settled yet, so the payment is voided: the customer is not charged, and the hold disappears within a day or so.';
const RELEASE_WORDS = 'Nothing was captured, so the hold on the card is released. The customer sees it disappear within a day or so.';
const EITHER_WORDS =
  'Where the processor has settled the payment already, it is refunded: sale and refund both appear on the customer’s statement. Where the processor has not settled the payment yet, it is voided and the customer is not charged.';
const REFUND_WORDS = 'The amount is refunded. The customer sees it in 3 to 5 business days.';

interface GiveBack {
  readonly isVoid: boolean;
  readonly amount: string;
  readonly reason: string;
}

type GivenBack = { readonly way: 'void' } | { readonly way: 'refund'; readonly refund: Refund };

/** One way to give money back: a void where nothing has settled, else a refund. Says which, and when the customer sees it. */
export function GiveBackPanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, currency, captured, amount } = transaction;
  const most = captured ? leftOf(transaction) : amount;
  const [reason, setReason] = useState('');
  const [prefersRefund, setPrefersRefund] = useState(false);
  const operation = useOperation(
    transactionId,
    async (input: GiveBack, key): Promise<GivenBack> => {
      if (!input.isVoid) return { way: 'refund', refund: await refundTransaction(transactionId, input.amount, input.reason, key) };
      await voidTransaction(transactionId, input.reason, key);
      return { way: 'void' };
    },
    (given) => resultOf(given, transaction),
    onResult,
  );
  const whole = decimalText(toMinor(most, currency), currency);
  const entry = useAmountEntry(currency, whole, most, operation.failure);
  const isWhole = entry.decimal === whole;
  const canVoid = voidsInstead(transaction, isWhole);
  const isVoid = canVoid && !prefersRefund;
  const shown = writeMoney(entry.decimal ?? whole, currency);
  const isShownInField = operation.failure?.code === 'INVALID_AMOUNT' && entry.problem !== undefined;

  return (
    <PanelForm
      title="Give money back"
      explanation={isVoid ? (captured ? VOID_WORDS : RELEASE_WORDS) : canVoid ? EITHER_WORDS : REFUND_WORDS}
      submitLabel={isVoid ? `Void ${writeMoney(amount, currency)}` : `Refund ${shown}`}
      isDangerous
      isBusy={operation.isBusy}
      failure={isShownInField ? null : operation.failure}
      onSubmit={() => entry.check() && entry.decimal && operation.start({ isVoid, amount: entry.decimal, reason: reason.trim() })}
      onClose={onClose}
      focusesSubmit={!captured}
    >
      {captured && (
        <BoundedAmount
          id="give-back-amount"
          label="Amount"
          entry={entry}
          currency={currency}
          hint={`${writeMoney(whole, currency)} left. Write less to give back a part.`}
        />
      )}
      {captured && canVoid && (
        <FormControlLabel
          control={<Switch size="small" checked={prefersRefund} onChange={(event) => setPrefersRefund(event.target.checked)} />}
          label="Refund instead of voiding, where the processor has settled it already"
          slotProps={{ typography: { variant: 'body2' } }}
        />
      )}
      <ReasonField value={reason} onChange={setReason} />
    </PanelForm>
  );
}

function resultOf(given: GivenBack, { amount, currency }: Transaction): Result {
  if (given.way === 'void') return { tone: 'success', text: `Voided ${writeMoney(amount, currency)}. The customer is not charged.` };
  const { refund } = given;
  const figure = writeMoney(refund.amount, currency);
  switch (refund.status) {
    case 'approved':
      if (refund.sentAs === 'void') return { tone: 'success', text: `Gave ${figure} back by a void. The customer is not charged.` };
      return {
        tone: 'success',
        text: `Refunded ${figure}, ${writeMoney(refund.remainingAmount, currency)} left. The customer sees it in 3 to 5 business days.`,
      };
    case 'pending':
      return {
        tone: 'warning',
        text: `The refund of ${figure} is under way: it goes by itself, at the latest after the processor's next batch. Its result appears here.`,
      };
    default: {
      const reason = refund.declineReason ?? 'The processor gave no reason.';
      const next = refund.queuedForRetry ? ' The service tries again by itself.' : '';
      return { tone: 'error', text: `The refund of ${figure} was declined. ${reason}${next}` };
    }
  }
}
