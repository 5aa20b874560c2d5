import { useState } from 'react';
import type { Transaction } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { paidWith } from '#renderer/receipt';
import { PanelForm, ReasonField } from '#renderer/ui';
import type { ActionPanelProps } from './action-panel-props.ts';
import { useAmountEntry } from './amount-entry.ts';
import { BoundedAmount } from './bounded-amount.tsx';
import { cancelCapture, creditTransaction, rerunTransaction, voidTransaction } from './operations.ts';
import type { Result } from './result-note.tsx';
import { useOperation } from './use-operation.ts';

/** Voids the whole payment before its settlement. */
export function VoidPanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, amount, currency } = transaction;
  const [reason, setReason] = useState('');
  const money = writeMoney(amount, currency);
  const operation = useOperation(
    transactionId,
    (voidReason: string, key) => voidTransaction(transactionId, voidReason, key),
    () => ({ tone: 'success', text: `Voided ${money}. The customer isn’t charged.` }),
    onResult,
  );
  return (
    <PanelForm
      title="Void"
      explanation="Cancels the whole payment before it settles. This can’t be undone."
      submitLabel={`Void ${money}`}
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
    () => ({ tone: 'success', text: `Capture canceled. ${writeMoney(amount, currency)} is authorized again.` }),
    onResult,
  );
  return (
    <PanelForm
      title="Cancel capture"
      explanation="The payment becomes an authorization again. Nothing is charged until you capture it."
      submitLabel="Cancel capture"
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
    (credit) => resultOfCreated(credit, 'Credited'),
    onResult,
  );
  const entry = useAmountEntry(currency, '', undefined, operation.failure);
  return (
    <PanelForm
      title={transaction.card ? 'Credit the card' : 'Credit the account'}
      explanation={`Pays money to ${paidWith(transaction)}, independent of this payment’s amount. To return this payment, refund it instead.`}
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

/** Reruns a declined or failed payment with the stored card, without its security code. */
export function RerunPanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, amount, currency } = transaction;
  const operation = useOperation(
    transactionId,
    (_: undefined, key) => rerunTransaction(transactionId, key),
    (rerun) => resultOfCreated(rerun, 'Charged'),
    onResult,
  );
  return (
    <PanelForm
      title="Rerun payment"
      explanation={`Creates a new transaction with ${paidWith(transaction)}, without the security code.`}
      submitLabel={`Charge ${writeMoney(amount, currency)}`}
      isBusy={operation.isBusy}
      failure={operation.failure}
      onSubmit={() => operation.start(undefined)}
      onClose={onClose}
      focusesSubmit
    />
  );
}

function resultOfCreated({ status, amount, currency, declineReason, transactionId }: Transaction, verb: string): Result {
  const money = writeMoney(amount, currency);
  if (status === 'approved') return { tone: 'success', text: `${verb} ${money}.`, transactionId: transactionId };
  if (status === 'pending') return { tone: 'warning', text: `${money} is pending.`, transactionId: transactionId };
  return {
    tone: 'error',
    text: `${money} was declined. ${declineReason ?? 'The processor gave no reason.'}`,
    transactionId: transactionId,
  };
}
