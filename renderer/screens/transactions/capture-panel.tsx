import { t } from '#renderer/base/language';
import { decimalText, toMinor, writeMoney } from '#renderer/base/money';
import { PanelForm } from '#renderer/kit/ui';
import type { ActionPanelProps } from './action-panel-props.ts';
import { useAmountEntry } from './amount-entry.ts';
import { BoundedAmount } from './bounded-amount.tsx';
import { captureTransaction } from './operations.ts';
import { useOperation } from './use-operation.ts';

/** Captures an authorization in full or in part. */
export function CapturePanel(props: ActionPanelProps) {
  const { transactionId, amount, currency } = props.transaction;
  const operation = useOperation(
    props,
    (decimal: string, key) => captureTransaction(transactionId, decimal, key),
    ({ capturedAmount, captureHeldUntil }) => ({
      tone: 'success',
      text: [
        t('Captured {{amount}}.', { amount: writeMoney(capturedAmount, currency) }),
        captureHeldUntil !== null && t('You can cancel it until it is sent to the processor.'),
      ]
        .filter(Boolean)
        .join(' '),
    }),
  );
  const fullAmount = decimalText(toMinor(amount, currency), currency);
  const entry = useAmountEntry(currency, fullAmount, amount, operation.failure);
  const isPartial = entry.decimal !== undefined && entry.decimal !== fullAmount;
  const isShownInField = operation.failure?.code === 'INVALID_AMOUNT' && entry.problem !== undefined;
  return (
    <PanelForm
      {...operation}
      title={t('Capture', { context: 'verb' })}
      explanation={
        isPartial
          ? t('The rest of the hold is released and can’t be captured later.')
          : t('The full amount is captured and settles with the next batch.')
      }
      submitLabel={t('Capture {{amount}}', { amount: writeMoney(entry.decimal ?? fullAmount, currency) })}
      failure={isShownInField ? null : operation.failure}
      onSubmit={() => entry.check() && entry.decimal && operation.onSubmit(entry.decimal)}
    >
      <BoundedAmount
        id="capture-amount"
        label={t('Amount')}
        entry={entry}
        currency={currency}
        hint={t('{{amount}} authorized. Enter less for a partial capture.', { amount: writeMoney(fullAmount, currency) })}
      />
    </PanelForm>
  );
}
