import { type ReactNode, useState } from 'react';
import { ApiFailure, describeFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { showToast } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { DeliveryNote } from './delivery-note.tsx';
import type { ReceiptAction, ReceiptPayment, SentReceipt } from './receipt-action.ts';
import { isTender, savePdf } from './requests.ts';
import { SendDialog } from './send-dialog.tsx';

interface ReceiptDelivery {
  readonly actions: readonly ReceiptAction[];
  /** Dialog that asks for the recipient; can be rendered anywhere in the screen. */
  readonly dialog: ReactNode;
  /** Status of the last receipt that was sent. */
  readonly note: ReactNode;
}

/** The receipt of a payment, or of a refund of it, by email, by text message and as PDF. */
export function useReceiptDelivery(payment: ReceiptPayment, refundId?: string): ReceiptDelivery {
  const may = useMay();
  const [openChannel, setOpenChannel] = useState<SentReceipt['channel']>();
  const [sent, setSent] = useState<SentReceipt>();
  const { transactionId } = payment;
  // A refund has its own receipt, independent of the status of its payment.
  const statusReason = refundId === undefined ? STATUS_REASONS[payment.status] : undefined;
  const sendBlockedReason = may('notifications:write') ? statusReason : NEEDS_PERMISSION;
  const openDialog = (channel: SentReceipt['channel']) => () => {
    setSent(undefined);
    setOpenChannel(channel);
  };
  const actions: readonly ReceiptAction[] = [
    {
      id: 'email',
      keys: 'E',
      label: t('Email', { context: 'channel' }),
      action: t('Email the receipt'),
      run: openDialog('email'),
      blockedReason: sendBlockedReason,
    },
    // A text message can only describe a payment by card or bank account.
    ...(refundId === undefined && !isTender(transactionId)
      ? [
          {
            id: 'text',
            keys: 'T',
            label: t('Text', { context: 'channel' }),
            action: t('Text the receipt'),
            run: openDialog('sms'),
            blockedReason: sendBlockedReason,
          } as const,
        ]
      : []),
    {
      id: 'pdf',
      keys: 'D',
      label: 'PDF',
      action: t('Save the receipt as PDF'),
      run: () => void savePdf({ transactionId, ...(refundId && { refundId }) }).catch(announceFailure),
      blockedReason: may('notifications:read') ? undefined : NEEDS_PERMISSION,
    },
  ];
  return {
    actions: actions.map((receiptAction) => ({ ...receiptAction, run: runUnlessBlocked(receiptAction) })),
    dialog: openChannel && (
      <SendDialog
        channel={openChannel}
        payment={payment}
        refundId={refundId}
        onSent={(receipt) => {
          setOpenChannel(undefined);
          setSent(receipt);
        }}
        onClose={() => setOpenChannel(undefined)}
      />
    ),
    note: sent && <DeliveryNote key={sent.messageId} sent={sent} />,
  };
}

const NEEDS_PERMISSION = t('Your role does not allow this.');
const STATUS_REASONS: Readonly<Record<string, string>> = {
  pending: t('The outcome isn’t known yet.'),
  declined: t('This payment was declined, so there is no receipt to send.'),
  failed: t('This payment failed, so there is no receipt to send.'),
  voided: t('This payment was voided, so there is no receipt to send.'),
};

function runUnlessBlocked({ run, blockedReason, label }: ReceiptAction): () => void {
  return blockedReason === undefined ? run : () => showToast(`${label}: ${blockedReason}`);
}

function announceFailure(cause: unknown): void {
  if (!(cause instanceof ApiFailure)) throw cause;
  showToast(describeFailure(cause).problem);
}
