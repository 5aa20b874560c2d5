import { useEffect, useRef } from 'react';
import { t } from '#renderer/base/language';
import { onReset } from '#renderer/base/module-state';
import { useDesktop } from '#renderer/desktop/bridge';
import { isOrphanedJob, usePrintQueue, useWatchPrintQueue } from '#renderer/desktop/printing';
import { announce } from '#renderer/kit/ui';
import { countPrintOfJob, receiptOfJob } from '#renderer/shared/receipt';
import { DrawerDialog } from './drawer-dialog.tsx';
import { closePrinterDialog, usePrinterDialog } from './printer-dialogs.ts';
import { QueueDialog } from './queue-dialog.tsx';
import { TearOffBar } from './tear-off-bar.tsx';

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

/** Jobs that are being counted. */
const jobsBeingCounted = new Set<number>();
onReset(() => jobsBeingCounted.clear());

/** Counts receipts that were sent for a page that no longer exists, so that their next print is marked DUPLICATE. */
function useCountOrphanedPrints(): void {
  const { receiptPrinter } = useDesktop();
  const jobs = usePrintQueue();
  useEffect(() => {
    if (receiptPrinter === undefined) return;
    for (const { id, key, metadata, sent, isPartial, isAcknowledged } of jobs) {
      const receipt = receiptOfJob(metadata);
      if (isAcknowledged || receipt === undefined || !(sent > 0 || isPartial) || !isOrphanedJob(key) || jobsBeingCounted.has(id)) continue;
      jobsBeingCounted.add(id);
      void countPrintOfJob(receipt, receiptPrinter).finally(() => jobsBeingCounted.delete(id));
    }
  }, [jobs, receiptPrinter]);
}
