import { type ReactNode, useState } from 'react';
import { ApiFailure, wordsOf } from '#renderer/client';
import { useMay } from '#renderer/session';
import { showToast } from '#renderer/ui';
import { DeliveryNote } from './delivery-note.tsx';
import type { ReceiptPayment, ReceiptWay, SentReceipt } from './receipt-way.ts';
import { savePdf } from './requests.ts';
import { SendDialog } from './send-dialog.tsx';

export interface ReceiptDelivery {
  readonly ways: readonly ReceiptWay[];
  /** Dialog that asks for the recipient; can be rendered anywhere in the screen. */
  readonly dialog: ReactNode;
  /** Status of the last one that was sent. */
  readonly note: ReactNode;
}

/** The receipt of a payment, or of a refund of it, by e-mail, by text and as PDF (experience 2.4). */
export function useReceiptDelivery(payment: ReceiptPayment, refundId?: string): ReceiptDelivery {
  const may = useMay();
  const [asked, setAsked] = useState<SentReceipt['channel']>();
  const [sent, setSent] = useState<SentReceipt>();
  const { transactionId } = payment;
  // A refund has its own receipt, whatever the state of its payment.
  const unsent = refundId === undefined ? UNSENT[payment.status] : undefined;
  const sending = may('notifications:write') ? unsent : NEEDS_PERMISSION;
  const ask = (channel: SentReceipt['channel']) => () => {
    setSent(undefined);
    setAsked(channel);
  };
  const ways: readonly ReceiptWay[] = [
    { id: 'email', keys: 'E', label: 'E-mail', action: 'E-mail the receipt', run: ask('email'), barred: sending },
    // A text message can only describe the payment.
    ...(refundId === undefined
      ? [{ id: 'text', keys: 'T', label: 'Text', action: 'Text the receipt', run: ask('sms'), barred: sending } as const]
      : []),
    {
      id: 'pdf',
      keys: 'D',
      label: 'PDF',
      action: 'Save the receipt as PDF',
      run: () => void savePdf({ transactionId, ...(refundId && { refundId }) }).catch(sayFailure),
      barred: may('notifications:read') ? undefined : NEEDS_PERMISSION,
    },
  ];
  return {
    ways: ways.map((way) => ({ ...way, run: unlessBarred(way) })),
    dialog: asked && (
      <SendDialog
        channel={asked}
        payment={payment}
        refundId={refundId}
        onSent={(receipt) => {
          setAsked(undefined);
          setSent(receipt);
        }}
        onClose={() => setAsked(undefined)}
      />
    ),
    note: sent && <DeliveryNote key={sent.messageId} sent={sent} />,
  };
}

const NEEDS_PERMISSION = 'Your role does not allow this.';
const UNSENT: Readonly<Record<string, string>> = {
  pending: 'The outcome is not known yet.',
  declined: 'It was declined: there is nothing to send.',
  failed: 'It failed: there is nothing to send.',
  voided: 'It is voided: the customer has nothing to keep.',
};

function unlessBarred({ run, barred, label }: ReceiptWay): () => void {
  return barred === undefined ? run : () => showToast(`${label}: ${barred}`);
}

function sayFailure(cause: unknown): void {
  if (!(cause instanceof ApiFailure)) throw cause;
  showToast(wordsOf(cause).what);
}
