import { useState } from 'react';
import type { Refund, Transaction } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { decimalText, toMinor, writeMoney } from '#renderer/base/money';
import { PanelForm, ReasonField } from '#renderer/kit/ui';
import type { ActionPanelProps } from './action-panel-props.ts';
import { useAmountEntry } from './amount-entry.ts';
import { BoundedAmount } from './bounded-amount.tsx';
import { type RefundRequest, refundTransaction, voidTransaction } from './operations.ts';
import type { Result } from './result-note.tsx';
import { refundableAmountOf } from './status.ts';
import { useOperation } from './use-operation.ts';
import { useReturnedItems } from './use-returned-items.tsx';

const VOID_TEXT = t(
  'This payment hasn’t settled, so it is voided. The customer isn’t charged, and the hold disappears within about a day.',
);
const VOID_OR_REFUND_TEXT = t(
  'If the processor has already settled the payment, it is refunded: the sale and the refund both appear on the customer’s statement. If not, it is voided and the customer isn’t charged.',
);
const REFUND_TEXT = t('The amount is refunded. The customer sees it in 3 to 5 business days.');

interface RefundInput extends RefundRequest {
  readonly isVoid: boolean;
}

type RefundOutcome = { readonly method: 'void' } | { readonly method: 'refund'; readonly refund: Refund };

/** Refunds also where a void is possible. */
export const RefundOnlyPanel = (props: ActionPanelProps) => <RefundPanel {...props} prefersRefund />;

/**
 * Returns money to the customer: by a void if nothing has settled, else by a refund. Explains which one and when the customer sees it.
 * `prefersRefund` refunds also where a void is possible, because the processor may have settled the payment already.
 */
export function RefundPanel({ prefersRefund = false, ...props }: ActionPanelProps & { readonly prefersRefund?: boolean }) {
  const { transaction } = props;
  const { transactionId, currency, amount } = transaction;
  const maximum = refundableAmountOf(transaction);
  const [reason, setReason] = useState('');
  const operation = useOperation(
    props,
    async ({ isVoid: isVoidRequested, ...request }: RefundInput, key): Promise<RefundOutcome> => {
      if (!isVoidRequested) return { method: 'refund', refund: await refundTransaction(transactionId, request, key) };
      await voidTransaction(transactionId, request.reason, key);
      return { method: 'void' };
    },
    (outcome) => resultOf(outcome, transaction),
  );
  const fullAmount = decimalText(toMinor(maximum, currency), currency);
  const entry = useAmountEntry(currency, fullAmount, maximum, operation.failure);
  const choice = useReturnedItems(transaction, entry);
  const canVoid = transaction.actions.void.allowed && entry.decimal === fullAmount;
  const isVoid = canVoid && !prefersRefund;
  const moneyShown = writeMoney(entry.decimal ?? fullAmount, currency);
  const isShownInField = operation.failure?.code === 'INVALID_AMOUNT' && entry.problem !== undefined;

  return (
    <PanelForm
      {...operation}
      title={isVoid ? t('Refund (voids: not settled yet)') : t('Refund', { context: 'verb' })}
      explanation={isVoid ? VOID_TEXT : canVoid ? VOID_OR_REFUND_TEXT : REFUND_TEXT}
      submitLabel={isVoid ? t('Void {{money}}', { money: writeMoney(amount, currency) }) : t('Refund {{amount}}', { amount: moneyShown })}
      isDangerous
      failure={isShownInField ? null : operation.failure}
      onSubmit={() =>
        entry.check() &&
        entry.decimal &&
        operation.onSubmit({ isVoid, amount: entry.decimal, reason: reason.trim(), ...choice.request(entry.decimal) })
      }
    >
      {choice.fields}
      <BoundedAmount
        id="refund-amount"
        label={t('Amount')}
        entry={entry}
        currency={currency}
        hint={t('Up to {{amount}} available. Enter less for a partial refund.', { amount: writeMoney(fullAmount, currency) })}
      />
      <ReasonField value={reason} onChange={setReason} />
    </PanelForm>
  );
}

function resultOf(outcome: RefundOutcome, { amount, currency }: Transaction): Result {
  if (outcome.method === 'void')
    return { tone: 'success', text: t('Voided {{money}}. The customer isn’t charged.', { money: writeMoney(amount, currency) }) };
  const { refund } = outcome;
  const money = writeMoney(refund.amount, currency);
  switch (refund.status) {
    case 'approved':
      if (refund.sentAs === 'void') return { tone: 'success', text: t('Voided {{money}}. The customer isn’t charged.', { money }) };
      return {
        tone: 'success',
        text: t('Refunded {{money}}. {{remainingAmount}} can still be refunded. The customer sees the refund in 3 to 5 business days.', {
          money,
          remainingAmount: writeMoney(refund.remainingAmount, currency),
        }),
      };
    case 'pending':
      return {
        tone: 'warning',
        text: t(
          'The refund of {{money}} is pending. It is sent automatically, at the latest after the processor’s next batch. The result appears here.',
          { money },
        ),
      };
    default: {
      const reason = refund.declineReason === null ? t('The processor gave no reason.') : serviceText(refund.declineReason);
      const next = refund.queuedForRetry && t('It is retried automatically.');
      return { tone: 'error', text: [t('The refund of {{money}} was declined.', { money }), reason, next].filter(Boolean).join(' ') };
    }
  }
}
