import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { TransactionDetail } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { RecordHeader } from '#renderer/kit/record';
import { TimeText, useHeadingFocus } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { DisputeNote } from '#renderer/shared/disputes';
import { LineItemList } from '#renderer/shared/items';
import { PaymentTimeline } from '#renderer/shared/payment-timeline';
import { ReceiptDialog } from '#renderer/shared/receipt';
import { recordActionsOf, useReceiptDelivery } from '#renderer/shared/receipt-delivery';
import { ActionBar } from './action-bar.tsx';
import type { ActionPanelProps } from './action-panel-props.ts';
import { ACTION_LABELS, type ActionId, blockedReason } from './actions.ts';
import { AdjustPanel, TipPanel } from './adjust-panels.tsx';
import { CapturePanel } from './capture-panel.tsx';
import { MoneyLine } from './money-line.tsx';
import { CancelCapturePanel, CreditPanel, RecordDisputePanel, RerunPanel, StoreCreditPanel, VoidPanel } from './other-panels.tsx';
import { PartLines } from './part-lines.tsx';
import { RefundList } from './refund-list.tsx';
import { RefundOnlyPanel, RefundPanel } from './refund-panel.tsx';
import { type Result, ResultNote } from './result-note.tsx';
import { isOpenAuthorization, stateOf, typeOf } from './status.ts';
import { StatusNotes } from './status-notes.tsx';
import { TransactionFacts } from './transaction-facts.tsx';

const PANELS = {
  refund: RefundPanel,
  'refund-only': RefundOnlyPanel,
  'store-credit': StoreCreditPanel,
  capture: CapturePanel,
  void: VoidPanel,
  adjust: AdjustPanel,
  tip: TipPanel,
  cancelCapture: CancelCapturePanel,
  credit: CreditPanel,
  rerun: RerunPanel,
  dispute: RecordDisputePanel,
} as const satisfies Record<ActionId, unknown>;

/** Form of the chosen operation. Each form has its own idempotency key. */
function ActionPanel({ action, ...panel }: ActionPanelProps & { readonly action: ActionId }) {
  const Panel = PANELS[action];
  return <Panel {...panel} />;
}

interface DetailProps {
  readonly transaction: TransactionDetail;
  /** True while only the row of the list is known. */
  readonly isPartial: boolean;
  /** True if its heading may take the focus when it appears. */
  readonly takesFocus: boolean;
  readonly onOpen: (transactionId: string) => void;
}

/** Details of a transaction: amounts, actions and history. */
export function Detail({ transaction, isPartial, takesFocus, onOpen }: DetailProps) {
  const { timezone } = useMerchant();
  const requestedAction = useRequestedAction(transaction);
  const [action, setAction] = useState<ActionId | undefined>(requestedAction);
  const [result, setResult] = useState<Result>();
  const [isReceiptOpen, setReceiptOpen] = useState(false);
  const heading = useHeadingFocus(takesFocus);
  const delivery = useReceiptDelivery(transaction);

  const openPanel = (chosen: ActionId) => {
    setResult(undefined);
    setAction(chosen);
  };
  const closePanel = () => {
    setAction(undefined);
    heading.current?.focus();
  };
  const showResult = (next: Result) => {
    setResult(next);
    closePanel();
  };

  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader
        title={{ amount: transaction.type === 'credit' ? -transaction.amount : transaction.amount, currency: transaction.currency }}
        status={[stateOf(transaction), ...(transaction.refundStatus === 'none' ? [] : [transaction.refundStatus])]}
        of="transaction"
        headingRef={heading}
      >
        <span>{typeOf(transaction)}</span>
        <span aria-hidden>·</span>
        <TimeText at={transaction.createdAt} timeZone={timezone} />
      </RecordHeader>
      {result ? <ResultNote result={result} onOpen={onOpen} /> : <DeclineNote transaction={transaction} />}
      <StatusNotes transaction={transaction} isPartial={isPartial} />
      {!isPartial && <DisputeNote transactionId={transaction.transactionId} />}
      <MoneyLine transaction={transaction} />
      <LineItemList lines={transaction.lineItems} currency={transaction.currency} />
      <PartLines of={chargedAmount(transaction)} />
      <ActionBar
        transaction={transaction}
        isPartial={isPartial}
        current={action}
        onAct={openPanel}
        receipt={recordActionsOf(delivery.actions, () => setReceiptOpen(true))}
      />
      {action && <ActionPanel key={action} action={action} transaction={transaction} onClose={closePanel} onResult={showResult} />}
      {delivery.note}
      <TransactionFacts transaction={transaction} onOpen={onOpen} />
      <RefundList transaction={transaction} />
      {!isPartial && <PaymentTimeline transaction={transaction} />}
      {delivery.dialog}
      {isReceiptOpen && <ReceiptDialog transaction={transaction} onClose={() => setReceiptOpen(false)} />}
    </Box>
  );
}

/** Returns the amount that was charged, with its parts. The discount belongs to the whole price, so a capture of a part has none. */
function chargedAmount(transaction: TransactionDetail) {
  const { captured, capturedAmount, amount, discountAmount } = transaction;
  const isPartial = captured && capturedAmount < amount;
  return { ...transaction, amount: captured ? capturedAmount : amount, discountAmount: isPartial ? 0 : discountAmount };
}

/** Returns the action with which a link opens the transaction, such as one on Home; undefined if it is not available. */
function useRequestedAction(transaction: TransactionDetail): ActionId | undefined {
  const { state } = useLocation();
  const requested: unknown = typeof state === 'object' && state !== null && 'action' in state ? state.action : undefined;
  const isAction = (id: unknown): id is ActionId => typeof id === 'string' && Object.hasOwn(ACTION_LABELS, id);
  if (!isAction(requested)) return undefined;
  const action = requested === 'refund' && isOpenAuthorization(transaction) ? 'void' : requested;
  return blockedReason(action, transaction) === undefined ? action : undefined;
}

/** The one reason of a declined or failed payment: that of the processor, or else that of its last step. */
function DeclineNote({ transaction: { status, declineReason, declineCode, history } }: { transaction: TransactionDetail }) {
  if (status === 'declined' || status === 'failed') {
    const reason = declineReason ?? history.findLast((entry) => entry.reason !== null)?.reason;
    return (
      <Alert severity="error">
        {reason
          ? serviceText(reason)
          : status === 'failed'
            ? t('This payment failed, nothing was charged.')
            : t('The processor gave no reason.')}{' '}
        {declineCode && <span className="mono">{declineCode}</span>}
      </Alert>
    );
  }
  return null;
}
