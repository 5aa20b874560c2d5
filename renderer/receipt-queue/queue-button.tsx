import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import { Printer } from 'lucide-react';
import type { QueuedPaper } from '#renderer/desktop';
import { usePaperQueue, usePrinter } from '#renderer/printing';
import { openTillDialog } from './till-dialogs.ts';

/** Status of the receipt printer at the top of every screen; opens its queue. Hidden without a receipt printer. */
export function QueueButton() {
  const printer = usePrinter();
  const jobs = usePaperQueue();
  if (printer === null && jobs.length === 0) return null;
  const { words, isFault } = standingOf(jobs);
  return (
    <Tooltip describeChild title={printer ? `Receipts go to ${printer.name}` : 'No receipt printer is set up any more'}>
      <Button
        variant="text"
        size="small"
        aria-label={`Print queue${words === '' ? '' : `: ${words}`}`}
        onClick={() => openTillDialog('queue')}
        startIcon={<Printer size={15} aria-hidden />}
        sx={{
          minWidth: 0,
          color: isFault ? 'error.main' : 'text.secondary',
          '& .MuiButton-startIcon': words === '' ? { mr: 0 } : {},
        }}
      >
        {words}
      </Button>
    </Tooltip>
  );
}

function standingOf(jobs: readonly QueuedPaper[]): { readonly words: string; readonly isFault: boolean } {
  const failed = jobs.filter(({ state }) => state === 'failed').length;
  const waiting = jobs.filter(({ state }) => state === 'waiting' || state === 'tearing').length;
  if (failed > 0) return { words: `${failed} not printed`, isFault: true };
  return { words: waiting > 0 ? `${waiting} waiting` : '', isFault: false };
}
