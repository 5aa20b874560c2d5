import { StoreCreditRefund } from '#renderer/shared/gift-cards';
import type { ActionPanelProps } from './action-panel-props.ts';
import { refundableAmountOf } from './status.ts';

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
