import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { InvoiceDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { copyText, FailureNote, KeyHint, keyLabel, showToast, usePanel, useShortcuts } from '#renderer/kit/ui';
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

interface InvoiceActionsProps {
  readonly invoice: InvoiceDetail;
  readonly search: string;
  readonly onPanelClosed: () => void;
}

/** Actions on an invoice, each with a button and a key. An unavailable action stays visible with its reason. */
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
  const run = (id: ActionId) => {
    const reason = reasonOf(id);
    if (reason === undefined) actions[id]();
    else showToast(`${labelOf(id, invoice.kind)}: ${reason}`);
  };
  const visibleActions = ACTIONS.filter((id) => (id !== 'edit' && id !== 'installments') || canHavePlan);
  useShortcuts(t('This invoice'), [
    ...visibleActions.map((id) => ({ keys: KEYS[id], label: labelOf(id, invoice.kind), run: () => run(id) })),
    { keys: 'Mod+P', label: t('Print the PDF'), run: () => pdf.mutate('print') },
  ]);
  const main = invoice.status === 'draft' ? 'send' : 'record';
  const isPanelAvailable = panel !== undefined && reasonOf(panel) === undefined;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {visibleActions.map((id) => (
          <ActionButton
            key={id}
            id={id}
            label={labelOf(id, invoice.kind)}
            reason={reasonOf(id)}
            isMain={id === main}
            isBusy={id === 'pdf' && pdf.isPending}
            isCurrent={isPanelAvailable && panel === id}
            onAct={() => actions[id]()}
          />
        ))}
      </Box>
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

const BLOCKED_STYLE = { '&&&': { color: 'text.disabled', borderColor: 'divider', borderStyle: 'dashed', cursor: 'default' } } as const;

interface ActionButtonProps {
  readonly id: ActionId;
  readonly label: string;
  readonly reason: string | undefined;
  readonly isMain: boolean;
  readonly isBusy: boolean;
  readonly isCurrent: boolean;
  readonly onAct: () => void;
}

/** A blocked button stays focusable, so that its reason is readable and announced. */
function ActionButton({ id, label, reason, isMain, isBusy, isCurrent, onAct }: ActionButtonProps) {
  const isBlocked = reason !== undefined;
  const isPrimary = isMain && !isBlocked;
  const opensPanel = id === 'send' || id === 'record' || id === 'cancel';
  const button = (
    <Button
      variant={isPrimary ? 'contained' : 'outlined'}
      color={isPrimary ? 'primary' : id === 'cancel' && !isBlocked ? 'error' : 'inherit'}
      aria-disabled={isBlocked || undefined}
      aria-expanded={isBlocked || !opensPanel ? undefined : isCurrent}
      aria-keyshortcuts={KEYS[id]}
      endIcon={<KeyHint keys={KEYS[id]} />}
      loading={isBusy}
      onClick={() => !isBlocked && onAct()}
      sx={isBlocked ? BLOCKED_STYLE : undefined}
    >
      {label}
    </Button>
  );
  const hint = reason ?? (id === 'pdf' ? t('{{key}} prints it', { key: keyLabel('Mod+P') }) : undefined);
  return hint === undefined ? (
    button
  ) : (
    <Tooltip title={hint} describeChild>
      {button}
    </Tooltip>
  );
}
