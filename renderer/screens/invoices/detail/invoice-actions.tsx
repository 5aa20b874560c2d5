import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Invoice, InvoiceDetail } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { type RecordAction, RecordActions } from '#renderer/kit/record';
import { copyText, FailureNote, PanelForm, ReasonField, showToast, usePanel, useShortcuts, useSubmit } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { useMay } from '#renderer/session/user';
import { PlanDialog } from '#renderer/shared/installments';
import type { InvoiceRequest, PanelId } from '../navigation.ts';
import { cancelInvoice, fetchPdf } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { RecordPanel } from '../record/record-panel.tsx';
import { moneyOf } from '../texts.ts';
import { QrDialog } from './qr-dialog.tsx';
import { SendPanel } from './send-panel.tsx';

/** Interval and number of checks whether a tab shows its document. */
const POLL_MS = 200;
const POLLS_MAX = 50;

/** Prints the document of a tab once it is loaded. Polls, because a load event would be lost with the initial empty page of the tab. */
function printWhenShown(tab: Window): void {
  let polls = 0;
  const timer = setInterval(() => {
    polls += 1;
    const isShown = !tab.closed && tab.location.href.startsWith('blob:') && tab.document.readyState === 'complete';
    if (isShown || tab.closed || polls === POLLS_MAX) clearInterval(timer);
    if (isShown) tab.print();
  }, POLL_MS);
}

type PdfAction = 'show' | 'print';

/** Opens the PDF of an invoice in a new tab, optionally to print it; saves it as a file if no tab can show it. */
function usePdf({ invoiceId, number }: Pick<Invoice, 'invoiceId' | 'number'>) {
  const { isDesktop } = useDesktop();
  return useMutation({
    mutationFn: (_: PdfAction) => fetchPdf(invoiceId),
    onSuccess: (pdf, action) => {
      const tab = isDesktop || !navigator.pdfViewerEnabled ? null : open(URL.createObjectURL(pdf));
      if (tab === null) {
        const file = `${number}.pdf`;
        saveAs(pdf, file);
        showToast(action === 'print' ? t('{{file}} saved; print it from there', { file }) : t('{{file}} saved', { file }));
      } else if (action === 'print') printWhenShown(tab);
    },
  });
}

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

/** Cancels an invoice after confirmation. */
function CancelPanel({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const isLink = invoice.kind === 'link';
  const title = isLink ? t('Cancel link') : t('Cancel invoice');
  const canceling = useSubmit({
    send: () => cancelInvoice(invoice.invoiceId, reason.trim()),
    refreshFirst: refreshInvoices,
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
