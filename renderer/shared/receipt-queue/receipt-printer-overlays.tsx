import { useEffect, useRef } from 'react';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { usePrintQueue, useWatchPrintQueue } from '#renderer/desktop/printing';
import { announce } from '#renderer/kit/ui';
import { DrawerDialog } from './drawer-dialog.tsx';
import { closePrinterDialog, usePrinterDialog } from './printer-dialogs.ts';
import { QueueDialog } from './queue-dialog.tsx';
import { TearOffBar } from './tear-off-bar.tsx';
import { useCountOrphanedPrints } from './use-count-orphaned-prints.ts';

/** Dialogs and notices of the receipt printer and its drawer over every screen. */
export function ReceiptPrinterOverlays() {
  const { receiptPrinter } = useDesktop();
  const jobs = usePrintQueue();
  const dialog = usePrinterDialog();
  useWatchPrintQueue();
  useCountOrphanedPrints();
  useFailureAnnouncements();
  if (dialog === 'drawer') return <DrawerDialog onClose={closePrinterDialog} />;
  if (receiptPrinter === undefined) return null;
  // The job at the head of the queue.
  const nextJob = jobs.find(({ state }) => state === 'waiting' || state === 'awaiting-tear-off');
  return (
    <>
      {nextJob?.state === 'awaiting-tear-off' && <TearOffBar job={nextJob} receiptPrinter={receiptPrinter} />}
      {dialog === 'queue' && <QueueDialog receiptPrinter={receiptPrinter} onClose={closePrinterDialog} />}
    </>
  );
}

/** Announces failed jobs of later copies, which show no toast. */
function useFailureAnnouncements(): void {
  const jobs = usePrintQueue();
  const failed = jobs.filter(({ state }) => state === 'failed').length;
  const known = useRef(0);
  useEffect(() => {
    if (failed > known.current) announce(t('{{count, number}} not printed. Open the print queue.', { count: failed }));
    known.current = failed;
  }, [failed]);
}
