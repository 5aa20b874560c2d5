import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invoice } from '#renderer/client';
import { announce, PanelForm, ReasonField } from '#renderer/ui';
import { cancelInvoice } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { moneyOf } from '../words.ts';

/** Cancels an invoice after confirmation. */
export function CancelPanel({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const what = invoice.kind === 'link' ? 'link' : 'invoice';
  const cancelling = useMutation({
    mutationFn: () => cancelInvoice(invoice.invoiceId, reason.trim()),
    onSuccess: async () => {
      await refreshInvoices();
      announce('Cancelled. Nothing more is asked for.');
      onClose();
    },
    onError: () => void refreshInvoices(),
  });
  const paid =
    invoice.amountPaid > 0
      ? ` The ${moneyOf(invoice.amountPaid, invoice)} that were paid stay paid: refund them by their transactions.`
      : '';
  return (
    <PanelForm
      title={`Cancel this ${what}`}
      explanation={`Its page takes no more payments, and its number stays used.${paid} A cancelled ${what} cannot be opened again.`}
      submitLabel={`Cancel the ${what}`}
      isDangerous
      isBusy={cancelling.isPending}
      failure={cancelling.error}
      onSubmit={() => cancelling.mutate()}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}
