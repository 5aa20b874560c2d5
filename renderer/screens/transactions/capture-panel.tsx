import { decimalText, toMinor, writeMoney } from '#renderer/money';
import { PanelForm } from '#renderer/ui';
import type { ActionPanelProps } from './action-panel-props.ts';
import { useAmountEntry } from './amount-entry.ts';
import { BoundedAmount } from './bounded-amount.tsx';
import { captureTransaction } from './operations.ts';
import { useOperation } from './use-operation.ts';

/** Captures all or a part of an authorization. */
export function CapturePanel({ transaction, onResult, onClose }: ActionPanelProps) {
  const { transactionId, amount, currency } = transaction;
  const operation = useOperation(
    transactionId,
    (decimal: string, key) => captureTransaction(transactionId, decimal, key),
    ({ capturedAmount, captureHeldUntil }) => ({
      tone: 'success',
      text: `Captured ${writeMoney(capturedAmount, currency)}.${captureHeldUntil === null ? '' : ' It can be cancelled until it is sent to the processor.'}`,
    }),
    onResult,
  );
  const whole = decimalText(toMinor(amount, currency), currency);
  const entry = useAmountEntry(currency, whole, amount, operation.failure);
  const isPart = entry.decimal !== undefined && entry.decimal !== whole;
  const isShownInField = operation.failure?.code === 'INVALID_AMOUNT' && entry.problem !== undefined;
  return (
    <PanelForm
      title="Capture"
      explanation={
        isPart ? 'The rest of the hold is released: it cannot be captured later.' : 'The money is taken and settles with the next batch.'
      }
      submitLabel={`Capture ${writeMoney(entry.decimal ?? whole, currency)}`}
      isBusy={operation.isBusy}
      failure={isShownInField ? null : operation.failure}
      onSubmit={() => entry.check() && entry.decimal && operation.start(entry.decimal)}
      onClose={onClose}
    >
      <BoundedAmount
        id="capture-amount"
        label="Amount"
        entry={entry}
        currency={currency}
        hint={`${writeMoney(whole, currency)} authorized. Write less to capture a part.`}
      />
    </PanelForm>
  );
}
