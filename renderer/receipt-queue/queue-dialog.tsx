import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { QueuedPaper, ReceiptPrinter } from '#renderer/desktop';
import { usePaperQueue } from '#renderer/printing';
import { countOnce, usePrintReceipt, useReprintLast, wantedFrom } from '#renderer/receipt';
import { useMay } from '#renderer/session';
import { Dialog, EmptyNote, StatusChip } from '#renderer/ui';

const LOOKS: Readonly<Record<QueuedPaper['state'], readonly [like: string, word: string]>> = {
  waiting: ['queued', 'Waiting'],
  tearing: ['pending', 'Tear off first'],
  sending: ['processing', 'Sending'],
  sent: ['sent', 'Sent'],
  failed: ['failed', 'Not sent'],
};

interface QueueDialogProps {
  readonly receiptPrinter: ReceiptPrinter;
  readonly onClose: () => void;
}

/** Jobs of the receipt printer: waiting, sent and failed, with the available actions. */
export function QueueDialog({ receiptPrinter, onClose }: QueueDialogProps) {
  const jobs = usePaperQueue();
  const reprintLast = useReprintLast();
  const canReprint = useMay()('transactions:read');
  return (
    <Dialog
      title="Print queue"
      isOpen
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <>
          {canReprint && (
            <Button onClick={() => void reprintLast()} sx={{ mr: 'auto' }}>
              Reprint last receipt
            </Button>
          )}
          <Button type="submit" variant="contained" color="primary" autoFocus>
            Done
          </Button>
        </>
      }
    >
      {jobs.length === 0 ? (
        <EmptyNote title="Nothing waits">
          Receipts that are sent to the printer show here for a while, and those it did not take stay.
        </EmptyNote>
      ) : (
        <Box component="ul" aria-label="Print jobs" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {jobs.map((job) => (
            <Job key={job.id} job={job} receiptPrinter={receiptPrinter} />
          ))}
        </Box>
      )}
    </Dialog>
  );
}

function Job({ job, receiptPrinter }: { job: QueuedPaper; receiptPrinter: ReceiptPrinter }) {
  const { id, title, printer, state, copies, sent, problem } = job;
  const [like, word] = LOOKS[state];
  const retry = useRetry(job, receiptPrinter);
  const act = (action: 'next' | 'cancel') => void receiptPrinter.actOnPaper(id, action);
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
          <StatusChip state={like} word={word} />
          <Box component="span" sx={{ fontWeight: 550 }}>
            {title}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {printer}
            {copies > 1 && `, ${sent} of ${copies}`}
          </Box>
        </Box>
        {problem && <Box sx={{ mt: 1, fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>{problem}</Box>}
      </Box>
      <Box sx={{ display: 'flex', gap: 2 }}>
        {state === 'tearing' && (
          <Button size="small" onClick={() => act('next')} aria-label={`Next: ${title}`}>
            Next
          </Button>
        )}
        {state === 'failed' && (
          <Button size="small" onClick={() => void retry()} aria-label={`Try ${title} again`}>
            Try again
          </Button>
        )}
        {state !== 'sent' && state !== 'sending' && (
          <Button size="small" variant="text" onClick={() => act('cancel')} aria-label={`Take ${title} out`}>
            Take out
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** Retries a job. A copy that may have been printed in part counts as printed, so that the next one is made again and marked DUPLICATE. */
function useRetry({ id, note, isPartial }: QueuedPaper, receiptPrinter: ReceiptPrinter): () => Promise<void> {
  const print = usePrintReceipt();
  const wanted = wantedFrom(note);
  return async () => {
    if (!isPartial || wanted === undefined) {
      await receiptPrinter.actOnPaper(id, 'retry');
      return;
    }
    await countOnce(wanted, receiptPrinter);
    await receiptPrinter.actOnPaper(id, 'cancel');
    await print(wanted);
  };
}
