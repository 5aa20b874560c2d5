import { useEffect } from 'react';
import { useDesktop } from '#renderer/desktop';
import { isOrphan, usePaperQueue } from '#renderer/printing';
import { countOnce, wantedFrom } from '#renderer/receipt';

/** Jobs that are being counted. */
const counting = new Set<number>();

/** Counts receipts that were sent for a page that no longer exists, so that their next print is marked DUPLICATE. */
export function useOrphanCounts(): void {
  const { receiptPrinter } = useDesktop();
  const jobs = usePaperQueue();
  useEffect(() => {
    if (receiptPrinter === undefined) return;
    for (const { id, key, note, sent, isPartial, isNoted } of jobs) {
      const wanted = wantedFrom(note);
      if (isNoted || wanted === undefined || !(sent > 0 || isPartial) || !isOrphan(key) || counting.has(id)) continue;
      counting.add(id);
      void countOnce(wanted, receiptPrinter).finally(() => counting.delete(id));
    }
  }, [jobs, receiptPrinter]);
}
