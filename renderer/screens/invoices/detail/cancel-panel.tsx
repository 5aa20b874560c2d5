import { useState } from 'react';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { PanelForm, ReasonField, useSubmit } from '#renderer/kit/ui';
import { cancelInvoice } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { moneyOf } from '../texts.ts';

/** Cancels an invoice after confirmation. */
export function CancelPanel({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const isLink = invoice.kind === 'link';
  const title = isLink ? t('Cancel link') : t('Cancel invoice');
  const canceling = useSubmit({
    send: () => cancelInvoice(invoice.invoiceId, reason.trim()),
    refresh: refreshInvoices,
    announcement: t('Canceled. No payment is due.'),
    onClose,
  });
  const explanation = [
    t('Its page accepts no more payments, and its number isn’t reused.'),
    ...(invoice.amountPaid > 0
      ? [
          t('The {{amount}} already paid is kept; refund the transactions to return it.', {
            amount: moneyOf(invoice.amountPaid, invoice),
          }),
        ]
      : []),
    isLink ? t('A canceled link can’t be reopened.') : t('A canceled invoice can’t be reopened.'),
  ];
  return (
    <PanelForm {...canceling} title={title} explanation={explanation.join(' ')} submitLabel={title} isDangerous>
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}
