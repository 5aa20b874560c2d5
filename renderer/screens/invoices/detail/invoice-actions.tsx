import Box from '@mui/material/Box';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { InvoiceDetail } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';
import { type RecordAction, RecordActions } from '#renderer/kit/record';
import { copyText, FailureNote, usePanel, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { PlanDialog } from '#renderer/shared/installments';
import type { InvoiceRequest, PanelId } from '../navigation.ts';
import { RecordPanel } from '../record/record-panel.tsx';
import { CancelPanel } from './cancel-panel.tsx';
import { usePdf } from './pdf.ts';
import { QrDialog } from './qr-dialog.tsx';
import { SendPanel } from './send-panel.tsx';

interface InvoiceActionsProps {
  readonly invoice: InvoiceDetail;
  readonly search: string;
  readonly onPanelClosed: () => void;
}

/** Actions on an invoice. */
export function InvoiceActions({ invoice, search, onPanelClosed }: InvoiceActionsProps) {
  const may = useMay();
  const navigate = useNavigate();
  const requestedPanel = (useLocation().state as InvoiceRequest | null)?.panel;
  const { panel, open, closeHandler } = usePanel<PanelId>(onPanelClosed, requestedPanel);
  const [isQrOpen, setQrOpen] = useState(false);
  const [isPlanOpen, setPlanOpen] = useState(false);
  const pdf = usePdf(invoice);
  const { actions, status } = invoice;
  const isLink = invoice.kind === 'link';
  const inPanel = (id: PanelId, { keys, label, reason }: Pick<RecordAction, 'keys' | 'label' | 'reason'>) => ({
    label,
    keys,
    reason,
    run: () => open(id),
    isOpen: panel === id && reason === undefined,
  });
  const send = inPanel('send', { label: t('Send'), keys: 'S', reason: refusalOf(actions.send) });
  const record = inPanel('record', { label: t('Record payment'), keys: '$', reason: refusalOf(actions.pay) });
  const cancel = inPanel('cancel', {
    label: isLink ? t('Cancel link') : t('Cancel invoice'),
    keys: 'X',
    reason: refusalOf(actions.cancel),
  });
  const pageReason = status === 'cancelled' ? t('It is canceled. Its page accepts no payments.') : undefined;
  /** Reason by the service, or by the permission for customers that the form needs. */
  const inForm = (action: Parameters<typeof refusalOf>[0]) =>
    may('customers:read') ? refusalOf(action) : t('Your role does not allow this.');
  const ofInvoices: readonly RecordAction[] = [
    { label: t('Pay in installments'), keys: 'I', reason: inForm(actions.payInInstallments), run: () => setPlanOpen(true) },
    {
      label: t('Edit'),
      keys: 'E',
      reason: inForm(actions.update),
      run: () => void navigate({ pathname: `/invoices/${invoice.invoiceId}/edit`, search }),
    },
  ];
  const [installments, edit] = isLink ? [] : ofInvoices;
  const listed = [
    ...(status === 'draft' ? [send, record] : [record, send]),
    installments,
    { label: t('Copy link'), keys: 'C', reason: pageReason, run: () => void copyText(invoice.shortUrl ?? invoice.url, t('Link')) },
    { label: t('QR code'), keys: 'Q', reason: pageReason, run: () => setQrOpen(true) },
    { label: 'PDF', keys: 'D', isBusy: pdf.isPending, run: () => pdf.mutate('show') },
    edit,
    { ...cancel, isDangerous: true },
  ].filter((action) => action !== undefined);
  useShortcuts(t('This invoice'), [{ keys: 'Mod+P', label: t('Print the PDF'), run: () => pdf.mutate('print') }]);
  const isPanelAvailable = [send, record, cancel].some(({ isOpen }) => isOpen);
  return (
    <>
      <RecordActions group={t('This invoice')} actions={listed} />
      {pdf.error && <FailureNote failure={pdf.error} />}
      {isPanelAvailable && (
        <Box key={panel} ref={scrollPanelIntoView} sx={{ scrollMarginBlock: 16 }}>
          {panel === 'send' && <SendPanel invoice={invoice} onClose={closeHandler(panel)} />}
          {panel === 'record' && <RecordPanel invoice={invoice} onClose={closeHandler(panel)} onPrintInvoice={() => pdf.mutate('print')} />}
          {panel === 'cancel' && <CancelPanel invoice={invoice} onClose={closeHandler(panel)} />}
        </Box>
      )}
      {isQrOpen && <QrDialog invoice={invoice} onClose={() => setQrOpen(false)} />}
      {isPlanOpen && <PlanDialog invoice={invoice} onClose={() => setPlanOpen(false)} />}
    </>
  );
}

function scrollPanelIntoView(panel: HTMLElement | null): void {
  panel?.scrollIntoView({ block: 'nearest' });
}
