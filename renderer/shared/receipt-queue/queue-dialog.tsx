import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import type { QueuedPrintJob, ReceiptPrinter } from '#renderer/desktop/bridge';
import { usePrintQueue } from '#renderer/desktop/printing';
import { Dialog, EmptyState, StatusChip } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { countPrintOfJob, receiptOfJob, usePrintReceipt, useReprintLast } from '#renderer/shared/receipt';

const CHIPS: Readonly<Record<QueuedPrintJob['state'], readonly [state: string, label: string]>> = {
  waiting: ['queued', t('Waiting')],
  'awaiting-tear-off': ['pending', t('Tear off first')],
  sending: ['processing', t('Sending')],
  sent: ['sent', t('Sent')],
  failed: ['failed', t('Not sent')],
};

interface QueueDialogProps {
  readonly receiptPrinter: ReceiptPrinter;
  readonly onClose: () => void;
}

/** Jobs of the receipt printer: waiting, sent and failed, with the available actions. */
export function QueueDialog({ receiptPrinter, onClose }: QueueDialogProps) {
  const jobs = usePrintQueue();
  const reprintLast = useReprintLast();
  const canReprint = useMay()('transactions:read');
  return (
    <Dialog
      title={t('Print queue')}
      isOpen
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <>
          {canReprint && (
            <Button onClick={() => void reprintLast()} sx={{ marginInlineEnd: 'auto' }}>
              {t('Reprint last receipt')}
            </Button>
          )}
          <Button type="submit" variant="contained" color="primary" autoFocus>
            {t('Done')}
          </Button>
        </>
      }
    >
      {jobs.length === 0 ? (
        <EmptyState title={t('No print jobs')}>
          {t('Recent print jobs appear here. Failed jobs stay until you retry or remove them.')}
        </EmptyState>
      ) : (
        <Box component="ul" aria-label={t('Print jobs')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {jobs.map((job) => (
            <Job key={job.id} job={job} receiptPrinter={receiptPrinter} />
          ))}
        </Box>
      )}
    </Dialog>
  );
}

function Job({ job, receiptPrinter }: { job: QueuedPrintJob; receiptPrinter: ReceiptPrinter }) {
  const { id, title, printer, state, copies, sent, problem } = job;
  const [chip, label] = CHIPS[state];
  const retry = useRetry(job, receiptPrinter);
  const act = (action: 'next' | 'cancel') => void receiptPrinter.actOnPrintJob(id, action);
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        gap: 2,
        alignItems: 'center',
        py: 3,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
        '&:first-of-type': { borderTop: 0 },
      })}
    >
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
          <StatusChip state={chip} label={label} />
          <Box component="span" sx={{ fontWeight: 550 }}>
            {title}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {copies > 1 ? t('{{printer}}, {{sent}} of {{copies}}', { printer, sent, copies }) : printer}
          </Box>
        </Box>
        {problem && <Box sx={{ mt: 1, fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>{problem}</Box>}
      </Box>
      <Box sx={{ display: 'flex', gap: 2 }}>
        {state === 'awaiting-tear-off' && (
          <Button size="small" onClick={() => act('next')} aria-label={t('Next: {{title}}', { title })}>
            {t('Next')}
          </Button>
        )}
        {state === 'failed' && (
          <Button size="small" onClick={() => void retry()} aria-label={t('Retry {{title}}', { title })}>
            {t('Retry')}
          </Button>
        )}
        {state !== 'sent' && state !== 'sending' && (
          <Button size="small" variant="text" onClick={() => act('cancel')} aria-label={t('Remove {{title}}', { title })}>
            {t('Remove')}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** Retries a job. A copy that may have been printed in part counts as printed, so that the next one is made again and marked DUPLICATE. */
function useRetry({ id, metadata, isPartial }: QueuedPrintJob, receiptPrinter: ReceiptPrinter): () => Promise<void> {
  const print = usePrintReceipt();
  const receipt = receiptOfJob(metadata);
  return async () => {
    if (!isPartial || receipt === undefined) {
      await receiptPrinter.actOnPrintJob(id, 'retry');
      return;
    }
    await countPrintOfJob(receipt, receiptPrinter);
    await receiptPrinter.actOnPrintJob(id, 'cancel');
    await print(receipt);
  };
}
