import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { DisputeForm } from '#renderer/shared/disputes';
import type { ActionPanelProps } from './action-panel-props.ts';
import { refreshTransaction } from './queries.ts';

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
