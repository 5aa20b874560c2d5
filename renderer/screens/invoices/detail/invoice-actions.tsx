import Box from '@mui/material/Box';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { InvoiceDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordActions } from '#renderer/kit/record';
import { copyText, FailureNote, usePanel, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { PlanDialog } from '#renderer/shared/installments';
import type { InvoiceRequest, PanelId } from '../navigation.ts';
import { RecordPanel } from '../record/record-panel.tsx';
import { ACTIONS, type ActionId, blockedReason, labelOf } from './blocked-actions.ts';
import { CancelPanel } from './cancel-panel.tsx';
import { usePdf } from './pdf.ts';
import { QrDialog } from './qr-dialog.tsx';
import { SendPanel } from './send-panel.tsx';

const KEYS: Readonly<Record<ActionId, string>> = {
  send: 'S',
  record: '$',
  installments: 'I',
  copy: 'C',
  qr: 'Q',
  pdf: 'D',
  edit: 'E',
  cancel: 'X',
};

const PANELS: ReadonlySet<ActionId> = new Set(['send', 'record', 'cancel']);

/** Returns the place of an action: those in the list come first. */
const rank = (first: readonly string[], id: ActionId) => (first.includes(id) ? first.indexOf(id) : first.length);

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
  const canHavePlan = invoice.kind === 'invoice';
  const pdf = usePdf(invoice);
  const reasonOf = (id: ActionId) => blockedReason(id, invoice, may);
  const actions: Readonly<Record<ActionId, () => void>> = {
    send: () => open('send'),
    record: () => open('record'),
    cancel: () => open('cancel'),
    copy: () => void copyText(invoice.shortUrl ?? invoice.url, t('Link')),
    installments: () => setPlanOpen(true),
    qr: () => setQrOpen(true),
    pdf: () => pdf.mutate('show'),
    edit: () => void navigate({ pathname: `/invoices/${invoice.invoiceId}/edit`, search }),
  };
  const first = invoice.status === 'draft' ? ['send', 'record'] : ['record', 'send'];
  const visibleActions = ACTIONS.filter((id) => (id !== 'edit' && id !== 'installments') || canHavePlan).toSorted(
    (one, other) => rank(first, one) - rank(first, other),
  );
  useShortcuts(t('This invoice'), [{ keys: 'Mod+P', label: t('Print the PDF'), run: () => pdf.mutate('print') }]);
  const isPanelAvailable = panel !== undefined && reasonOf(panel) === undefined;
  return (
    <>
      <RecordActions
        group={t('This invoice')}
        actions={visibleActions.map((id) => ({
          label: labelOf(id, invoice.kind),
          keys: KEYS[id],
          reason: reasonOf(id),
          run: actions[id],
          isDangerous: id === 'cancel',
          isBusy: id === 'pdf' && pdf.isPending,
          ...(PANELS.has(id) && { isOpen: isPanelAvailable && panel === id }),
        }))}
      />
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
