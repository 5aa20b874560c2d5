import { useEffect } from 'react';
import { onReset } from '#renderer/base/module-state';
import { useDesktop } from '#renderer/desktop/bridge';
import { isOrphanedJob, usePrintQueue } from '#renderer/desktop/printing';
import { countPrintOfJob, receiptOfJob } from '#renderer/shared/receipt';

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
