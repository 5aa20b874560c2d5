import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import { Printer } from 'lucide-react';
import { t } from '#renderer/base/language';
import type { QueuedPrintJob } from '#renderer/desktop/bridge';
import { usePrinter, usePrintQueue } from '#renderer/desktop/printing';
import { openPrinterDialog } from './printer-dialogs.ts';

/** Status of the receipt printer at the top of every screen; opens its queue. Hidden without a receipt printer. */
export function QueueButton() {
  const printer = usePrinter();
  const jobs = usePrintQueue();
  if (printer === null && jobs.length === 0) return null;
  const { label, isError } = queueStatus(jobs);
  return (
    <Tooltip describeChild title={printer ? t('Receipts go to {{printer}}', { printer: printer.name }) : t('No receipt printer is set up')}>
      <Button
        variant="text"
        size="small"
        aria-label={label === '' ? t('Print queue') : t('Print queue: {{status}}', { status: label })}
        onClick={() => openPrinterDialog('queue')}
        startIcon={<Printer size={15} aria-hidden />}
        sx={{
          minWidth: 0,
          color: isError ? 'error.main' : 'text.secondary',
          '& .MuiButton-startIcon': label === '' ? { marginInlineEnd: 0 } : {},
        }}
      >
        {label}
      </Button>
    </Tooltip>
  );
}

function queueStatus(jobs: readonly QueuedPrintJob[]): { readonly label: string; readonly isError: boolean } {
  const failed = jobs.filter(({ state }) => state === 'failed').length;
  const waiting = jobs.filter(({ state }) => state === 'waiting' || state === 'awaiting-tear-off').length;
  if (failed > 0) return { label: t('{{count, number}} not printed', { count: failed }), isError: true };
  return { label: waiting > 0 ? t('{{count, number}} waiting', { count: waiting }) : '', isError: false };
}
