import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invoice } from '#renderer/client';
import { announce, PanelForm, ReasonField } from '#renderer/ui';
import { cancelInvoice } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { moneyOf } from '../texts.ts';

/** Cancels an invoice after confirmation. */
export function CancelPanel({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const noun = invoice.kind === 'link' ? 'link' : 'invoice';
  const canceling = useMutation({
    mutationFn: () => cancelInvoice(invoice.invoiceId, reason.trim()),
    onSuccess: async () => {
      await refreshInvoices();
      announce('Canceled. No payment is due.');
      onClose();
    },
    onError: () => void refreshInvoices(),
  });
  const paidText =
    invoice.amountPaid > 0
      ? ` The ${moneyOf(invoice.amountPaid, invoice)} already paid is kept; refund the transactions to return it.`
      : '';
  return (
    <PanelForm
      title={`Cancel ${noun}`}
      explanation={`Its page accepts no more payments, and its number isn’t reused.${paidText} A canceled ${noun} can’t be reopened.`}
      submitLabel={`Cancel ${noun}`}
      isDangerous
      isBusy={canceling.isPending}
      failure={canceling.error}
      onSubmit={() => canceling.mutate()}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}
