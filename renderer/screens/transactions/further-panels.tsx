import { useState } from 'react';
import type { Transaction } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { PanelForm, ReasonField } from '#renderer/ui';
import type { ActionPanelProps } from './action-panel-props.ts';
import { useAmountEntry } from './amount-entry.ts';
import { BoundedAmount } from './bounded-amount.tsx';
import { cancelCapture, creditTransaction, rerunTransaction, voidTransaction } from './operations.ts';
import { sourceOf } from './paid-with.ts';
import type { Result } from './result-note.tsx';
import { useOperation } from './use-operation.ts';

/** Voids the whole payment before its settlement. */
export function VoidPanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, amount, currency } = transaction;
  const [reason, setReason] = useState('');
  const figure = writeMoney(amount, currency);
  const operation = useOperation(
    transactionId,
    (given: string, key) => voidTransaction(transactionId, given, key),
    () => ({ tone: 'success', text: `Voided ${figure}. The customer is not charged.` }),
    onResult,
  );
  return (
    <PanelForm
      title="Void"
      explanation="The whole payment is taken back before it settles. This cannot be undone."
      submitLabel={`Void ${figure}`}
      isDangerous
      isBusy={operation.isBusy}
      failure={operation.failure}
      onSubmit={() => operation.start(reason.trim())}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}

/** Cancels a capture, which makes the payment an open authorization again. */
export function CancelCapturePanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, amount, currency } = transaction;
  const operation = useOperation(
    transactionId,
    (_: undefined, key) => cancelCapture(transactionId, key),
    () => ({ tone: 'success', text: `The capture is cancelled. ${writeMoney(amount, currency)} is authorized as before.` }),
    onResult,
  );
  return (
    <PanelForm
      title="Cancel the capture"
      explanation="The payment is an authorization again: nothing is taken until it is captured once more."
      submitLabel="Cancel the capture"
      isDangerous
      isBusy={operation.isBusy}
      failure={operation.failure}
      onSubmit={() => operation.start(undefined)}
      onClose={onClose}
      focusesSubmit
    />
  );
}

/** Pays money to the card or account of a payment, independent of its amount. */
export function CreditPanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, currency } = transaction;
  const operation = useOperation(
    transactionId,
    (decimal: string, key) => creditTransaction(transactionId, decimal, key),
    (credit) => resultOfNew(credit, 'Credited'),
    onResult,
  );
  const entry = useAmountEntry(currency, '', undefined, operation.failure);
  return (
    <PanelForm
      title={transaction.card ? 'Credit the card' : 'Credit the account'}
      explanation={`Money is paid to ${sourceOf(transaction)}. It is not bound by this payment's amount; to undo the payment itself, give money back instead.`}
      submitLabel={entry.decimal ? `Credit ${writeMoney(entry.decimal, currency)}` : 'Credit'}
      isDangerous
      isBusy={operation.isBusy}
      failure={operation.failure}
      onSubmit={() => entry.check() && entry.decimal && operation.start(entry.decimal)}
      onClose={onClose}
    >
      <BoundedAmount id="credit-amount" label="Amount" entry={entry} currency={currency} />
    </PanelForm>
  );
}

/** Runs a declined or failed payment once more, with the card that was kept and without its security code. */
export function RerunPanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, amount, currency } = transaction;
  const operation = useOperation(
    transactionId,
    (_: undefined, key) => rerunTransaction(transactionId, key),
    (rerun) => resultOfNew(rerun, 'Charged'),
    onResult,
  );
  return (
    <PanelForm
      title="Run again"
      explanation={`A new transaction is made with ${sourceOf(transaction)}, without the security code.`}
      submitLabel={`Charge ${writeMoney(amount, currency)}`}
      isBusy={operation.isBusy}
      failure={operation.failure}
      onSubmit={() => operation.start(undefined)}
      onClose={onClose}
      focusesSubmit
    />
  );
}

function resultOfNew({ status, amount, currency, declineReason, transactionId }: Transaction, done: string): Result {
  const figure = writeMoney(amount, currency);
  if (status === 'approved') return { tone: 'success', text: `${done} ${figure}.`, madeId: transactionId };
  if (status === 'pending') return { tone: 'warning', text: `${figure} is under way.`, madeId: transactionId };
  return { tone: 'error', text: `${figure} was declined. ${declineReason ?? 'The processor gave no reason.'}`, madeId: transactionId };
}
