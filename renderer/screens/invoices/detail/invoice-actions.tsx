import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Invoice } from '#renderer/client';
import { useMay } from '#renderer/session';
import { copyText, FailureNote, KeyHint, keyLabel, showToast, usePanel, useShortcuts } from '#renderer/ui';
import type { InvoiceRequest, PanelId } from '../leave.ts';
import { RecordPanel } from '../record/record-panel.tsx';
import { ACTIONS, type ActionId, barredReason, LABELS } from './barred.ts';
import { CancelPanel } from './cancel-panel.tsx';
import { usePdf } from './pdf.ts';
import { QrDialog } from './qr-dialog.tsx';
import { SendPanel } from './send-panel.tsx';

const KEYS: Readonly<Record<ActionId, string>> = { send: 'S', record: '$', copy: 'C', qr: 'Q', pdf: 'D', edit: 'E', cancel: 'X' };

interface InvoiceActionsProps {
  readonly invoice: Invoice;
  readonly search: string;
  readonly nowMs: number;
  readonly onPanelClosed: () => void;
}

/** Actions on an invoice, each with a button and a key. An unavailable action stays visible with its reason. */
export function InvoiceActions({ invoice, search, nowMs, onPanelClosed }: InvoiceActionsProps) {
  const may = useMay();
  const navigate = useNavigate();
  const asked = (useLocation().state as InvoiceRequest | null)?.panel;
  const { panel, open, closing } = usePanel<PanelId>(onPanelClosed, asked);
  const [isQrOpen, setQrOpen] = useState(false);
  const pdf = usePdf(invoice);
  const reasonOf = (id: ActionId) => barredReason(id, invoice, may, nowMs);
  const act: Readonly<Record<ActionId, () => void>> = {
    send: () => open('send'),
    record: () => open('record'),
    cancel: () => open('cancel'),
    copy: () => void copyText(invoice.shortUrl ?? invoice.url, 'Link'),
    qr: () => setQrOpen(true),
    pdf: () => pdf.mutate('show'),
    edit: () => void navigate({ pathname: `/invoices/${invoice.invoiceId}/edit`, search }),
  };
  const run = (id: ActionId) => {
    const reason = reasonOf(id);
    if (reason === undefined) act[id]();
    else showToast(`${LABELS[id]}: ${reason}`);
  };
  const shown = ACTIONS.filter((id) => id !== 'edit' || invoice.kind === 'invoice');
  useShortcuts('This invoice', [
    ...shown.map((id) => ({ keys: KEYS[id], label: LABELS[id], run: () => run(id) })),
    { keys: 'Mod+P', label: 'Print the PDF', run: () => pdf.mutate('print') },
  ]);
  const main = invoice.status === 'draft' ? 'send' : 'record';
  const isPossible = panel !== undefined && reasonOf(panel) === undefined;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {shown.map((id) => (
          <Act
            key={id}
            id={id}
            reason={reasonOf(id)}
            isMain={id === main}
            isBusy={id === 'pdf' && pdf.isPending}
            isCurrent={isPossible && panel === id}
            onAct={() => act[id]()}
          />
        ))}
      </Box>
      {pdf.error && <FailureNote failure={pdf.error} />}
      {isPossible && (
        <Box key={panel} ref={intoView} sx={{ scrollMarginBlock: 16 }}>
          {panel === 'send' && <SendPanel invoice={invoice} onClose={closing(panel)} />}
          {panel === 'record' && <RecordPanel invoice={invoice} onClose={closing(panel)} onPrintInvoice={() => pdf.mutate('print')} />}
          {panel === 'cancel' && <CancelPanel invoice={invoice} onClose={closing(panel)} />}
        </Box>
      )}
      {isQrOpen && <QrDialog invoice={invoice} onClose={() => setQrOpen(false)} />}
    </>
  );
}

function intoView(panel: HTMLElement | null): void {
  panel?.scrollIntoView({ block: 'nearest' });
}

const BARRED = { '&&&': { color: 'text.disabled', borderColor: 'divider', borderStyle: 'dashed', cursor: 'default' } } as const;

interface ActProps {
  readonly id: ActionId;
  readonly reason: string | undefined;
  readonly isMain: boolean;
  readonly isBusy: boolean;
  readonly isCurrent: boolean;
  readonly onAct: () => void;
}

/** A barred button can still be reached, so that its reason can be read and heard. */
function Act({ id, reason, isMain, isBusy, isCurrent, onAct }: ActProps) {
  const isBarred = reason !== undefined;
  const isStrong = isMain && !isBarred;
  const opens = id === 'send' || id === 'record' || id === 'cancel';
  const button = (
    <Button
      variant={isStrong ? 'contained' : 'outlined'}
      color={isStrong ? 'primary' : id === 'cancel' && !isBarred ? 'error' : 'inherit'}
      aria-disabled={isBarred || undefined}
      aria-expanded={isBarred || !opens ? undefined : isCurrent}
      aria-keyshortcuts={KEYS[id]}
      endIcon={<KeyHint keys={KEYS[id]} />}
      loading={isBusy}
      onClick={() => !isBarred && onAct()}
      sx={isBarred ? BARRED : undefined}
    >
      {LABELS[id]}
    </Button>
  );
  const hint = reason ?? (id === 'pdf' ? `${keyLabel('Mod+P')} prints it` : undefined);
  return hint === undefined ? (
    button
  ) : (
    <Tooltip title={hint} describeChild>
      {button}
    </Tooltip>
  );
}
