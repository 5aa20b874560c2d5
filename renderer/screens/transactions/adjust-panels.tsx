import { useState } from 'react';
import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, toMinor, writeMoney } from '#renderer/base/money';
import { PanelForm } from '#renderer/kit/ui';
import { scaledSurchargeOn } from '#shared/surcharge';
import type { ActionPanelProps } from './action-panel-props.ts';
import { useAmountEntry } from './amount-entry.ts';
import { AmountField } from './amount-field.tsx';
import { BoundedAmount } from './bounded-amount.tsx';
import { adjustAuthorization, adjustTip } from './operations.ts';
import { useOperation } from './use-operation.ts';

/** Raises or lowers an open authorization. */
export function AdjustPanel(props: ActionPanelProps) {
  const { transactionId, amount, tipAmount, surchargeAmount, currency } = props.transaction;
  const operation = useOperation(
    props,
    (decimal: string, key) => adjustAuthorization(transactionId, decimal, key),
    (changed) => ({ tone: 'success', text: t('{{amount}} is authorized now.', { amount: writeMoney(changed.amount, currency) }) }),
  );
  const present = decimalText(toMinor(amount, currency), currency);
  const entry = useAmountEntry(currency, present, undefined, operation.failure);
  const change = entry.decimal === undefined ? 0 : toMinor(Number(entry.decimal), currency) - toMinor(amount, currency);
  const agreed = {
    amountMinor: toMinor(amount, currency),
    tipMinor: toMinor(tipAmount, currency),
    surchargeMinor: toMinor(surchargeAmount, currency),
  };
  const surcharge = change > 0 ? scaledSurchargeOn(agreed.amountMinor + change, agreed.tipMinor, agreed) : 0;
  return (
    <PanelForm
      {...operation}
      title={t('Change authorized amount')}
      explanation={
        change < 0
          ? t('The difference is released on the customer’s card.')
          : t('The customer’s bank must approve a higher amount. If it refuses, the authorization stays as it is.')
      }
      submitLabel={t('Authorize {{amount}}', { amount: writeMoney(entry.decimal ?? present, currency) })}
      onSubmit={() => entry.check() && entry.decimal && operation.onSubmit(entry.decimal)}
    >
      <BoundedAmount
        id="adjust-amount"
        label={t('New amount')}
        entry={entry}
        currency={currency}
        hint={
          surcharge === 0
            ? t('{{amount}} is authorized.', { amount: writeMoney(present, currency) })
            : t('{{amount}} is authorized. The new amount includes a surcharge of {{surcharge}}.', {
                amount: writeMoney(present, currency),
                surcharge: writeMoney(decimalText(surcharge, currency), currency),
              })
        }
      />
    </PanelForm>
  );
}

/** Sets the tip of a payment that is not settled, such as one that was written on a signed receipt. */
export function TipPanel(props: ActionPanelProps) {
  const { transactionId, amount, capturedAmount, captured, tipAmount, currency } = props.transaction;
  const operation = useOperation(
    props,
    (decimal: string, key) => adjustTip(transactionId, decimal, key),
    (changed) => ({
      tone: 'success',
      text: t('The tip is {{tip}}, and the total {{total}}.', {
        tip: writeMoney(changed.tipAmount, currency),
        total: writeMoney(changed.captured ? changed.capturedAmount : changed.amount, currency),
      }),
    }),
  );
  const [text, setText] = useState(tipAmount > 0 ? decimalText(toMinor(tipAmount, currency), currency) : '');
  const [isChecked, setChecked] = useState(false);
  const reading = readAmount(text, currency);
  const decimal = reading.kind === 'valid' ? reading.decimal : reading.kind === 'zero' || reading.kind === 'empty' ? '0' : undefined;
  const withoutTip = toMinor(captured ? capturedAmount : amount, currency) - toMinor(tipAmount, currency);
  const total = decimalText(withoutTip + toMinor(Number(decimal ?? 0), currency), currency);
  return (
    <PanelForm
      {...operation}
      title={t('Change tip')}
      explanation={t('The tip is added to the amount. Possible until the payment settles.')}
      submitLabel={t('Charge {{total}} in total', { total: writeMoney(total, currency) })}
      onSubmit={() => {
        setChecked(true);
        if (decimal !== undefined) operation.onSubmit(decimal);
      }}
    >
      <AmountField
        id="tip-amount"
        label={t('Tip')}
        currency={currency}
        value={text}
        onChange={setText}
        problem={isChecked && decimal === undefined ? (amountProblem(text, currency) ?? undefined) : undefined}
        hint={t('{{amount}} without tip. Leave it empty for no tip.', {
          amount: writeMoney(decimalText(withoutTip, currency), currency),
        })}
      />
    </PanelForm>
  );
}
