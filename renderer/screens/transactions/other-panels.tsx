import { useState } from 'react';
import type { Transaction } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { PanelForm, ReasonField } from '#renderer/kit/ui';
import { DisputeForm } from '#renderer/shared/disputes';
import { StoreCreditRefund } from '#renderer/shared/gift-cards';
import { paidWith } from '#renderer/shared/receipt';
import type { ActionPanelProps } from './action-panel-props.ts';
import { labelOf } from './actions.ts';
import { useAmountEntry } from './amount-entry.ts';
import { BoundedAmount } from './bounded-amount.tsx';
import { cancelCapture, creditTransaction, rerunTransaction, voidTransaction } from './operations.ts';
import { refreshTransaction } from './queries.ts';
import type { Result } from './result-note.tsx';
import { isOpenAuthorization, refundableAmountOf } from './status.ts';
import { useOperation } from './use-operation.ts';

/** Voids the whole payment before its settlement, or releases held money. */
export function VoidPanel(props: ActionPanelProps) {
  const { transaction } = props;
  const { transactionId, amount, currency } = transaction;
  const [reason, setReason] = useState('');
  const money = writeMoney(amount, currency);
  const texts = isOpenAuthorization(transaction)
    ? {
        explanation: t(
          'Nothing was captured, so the hold on the card is released. It disappears within about a day. This can’t be undone.',
        ),
        submit: t('Release {{money}}', { money }),
        done: t('Released {{money}}. The customer isn’t charged.', { money }),
      }
    : {
        explanation: t('Cancels the whole payment before it settles. This can’t be undone.'),
        submit: t('Void {{money}}', { money }),
        done: t('Voided {{money}}. The customer isn’t charged.', { money }),
      };
  const operation = useOperation(
    props,
    (voidReason: string, key) => voidTransaction(transactionId, voidReason, key),
    () => ({ tone: 'success', text: texts.done }),
  );
  return (
    <PanelForm
      {...operation}
      title={labelOf('void', transaction)}
      explanation={texts.explanation}
      submitLabel={texts.submit}
      isDangerous
      onSubmit={() => operation.onSubmit(reason.trim())}
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}

/** Cancels a capture, which makes the payment an open authorization again. */
export function CancelCapturePanel(props: ActionPanelProps) {
  const { transactionId, amount, currency } = props.transaction;
  const operation = useOperation(
    props,
    (_: undefined, key) => cancelCapture(transactionId, key),
    () => ({ tone: 'success', text: t('Capture canceled. {{amount}} is authorized again.', { amount: writeMoney(amount, currency) }) }),
  );
  return (
    <PanelForm
      {...operation}
      onSubmit={() => operation.onSubmit(undefined)}
      title={t('Cancel capture')}
      explanation={t('The payment becomes an authorization again. Nothing is charged until you capture it.')}
      submitLabel={t('Cancel capture')}
      isDangerous
      focusesSubmit
    />
  );
}

/** Pays money to the card or account of a payment, independent of its amount. */
export function CreditPanel(props: ActionPanelProps) {
  const { transaction } = props;
  const { transactionId, currency } = transaction;
  const operation = useOperation(
    props,
    (decimal: string, key) => creditTransaction(transactionId, decimal, key),
    (credit) => resultOfCreated(credit, (amount) => t('Credited {{amount}}.', { amount })),
  );
  const entry = useAmountEntry(currency, '', undefined, operation.failure);
  return (
    <PanelForm
      {...operation}
      title={transaction.card ? t('Credit the card') : t('Credit the account')}
      explanation={t('Pays money to {{method}}, independent of this payment’s amount. To return this payment, refund it instead.', {
        method: paidWith(transaction),
      })}
      submitLabel={
        entry.decimal ? t('Credit {{amount}}', { amount: writeMoney(entry.decimal, currency) }) : t('Credit', { context: 'verb' })
      }
      isDangerous
      onSubmit={() => entry.check() && entry.decimal && operation.onSubmit(entry.decimal)}
    >
      <BoundedAmount id="credit-amount" label={t('Amount')} entry={entry} currency={currency} />
    </PanelForm>
  );
}

/** Reruns a declined or failed payment with the stored card, without its security code. */
export function RerunPanel(props: ActionPanelProps) {
  const { transaction } = props;
  const { transactionId, amount, currency } = transaction;
  const operation = useOperation(
    props,
    (_: undefined, key) => rerunTransaction(transactionId, key),
    (rerun) => resultOfCreated(rerun, (amount) => t('Charged {{amount}}.', { amount })),
  );
  return (
    <PanelForm
      {...operation}
      onSubmit={() => operation.onSubmit(undefined)}
      title={t('Rerun payment')}
      explanation={t('Creates a new transaction with {{method}}, without the security code.', { method: paidWith(transaction) })}
      submitLabel={t('Charge {{amount}}', { amount: writeMoney(amount, currency) })}
      focusesSubmit
    />
  );
}

function resultOfCreated(
  { status, amount, currency, declineReason, transactionId }: Transaction,
  approvedText: (amount: string) => string,
): Result {
  const money = writeMoney(amount, currency);
  if (status === 'approved') return { tone: 'success', text: approvedText(money), transactionId: transactionId };
  if (status === 'pending') return { tone: 'warning', text: t('{{money}} is pending.', { money }), transactionId: transactionId };
  return {
    tone: 'error',
    text: `${t('{{money}} was declined.', { money })} ${declineReason === null ? t('The processor gave no reason.') : serviceText(declineReason)}`,
    transactionId: transactionId,
  };
}

/** Records a dispute of the payment that the processor does not report. */
export function RecordDisputePanel({ transaction, onResult, onClose }: ActionPanelProps) {
  return (
    <DisputeForm
      transaction={transaction}
      onClose={onClose}
      onOpened={async ({ amount, currency }) => {
        await refreshTransaction(transaction.transactionId).catch(() => undefined);
        onResult({ tone: 'success', text: t('Dispute of {{amount}} recorded.', { amount: writeMoney(amount, currency) }) });
      }}
    />
  );
}

/** Refunds the payment to the store credit of its customer or to a gift card. */
export const StoreCreditPanel = ({ transaction, onClose }: ActionPanelProps) => (
  <StoreCreditRefund
    subject={{ paymentId: transaction.transactionId }}
    currency={transaction.currency}
    maximum={refundableAmountOf(transaction)}
    customerId={transaction.customerId}
    onClose={onClose}
  />
);
