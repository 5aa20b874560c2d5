import { useEffect } from 'react';
import { useDesktop } from '#renderer/desktop';
import { onReset } from '#renderer/module-state';
import { isOrphanedJob, usePrintQueue } from '#renderer/printing';
import { countPrintOfJob, receiptOfJob } from '#renderer/receipt';

/** Jobs that are being counted. */
const jobsBeingCounted = new Set<number>();
onReset(() => jobsBeingCounted.clear());

/** Counts receipts that were sent for a page that no longer exists, so that their next print is marked DUPLICATE. */
export function useCountOrphanedPrints(): void {
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
