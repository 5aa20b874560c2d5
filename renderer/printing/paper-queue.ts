import { useEffect } from 'react';
import { create } from 'zustand';
import { type QueuedPaper, useDesktop } from '#renderer/desktop';

const useQueue = create<{ readonly jobs: readonly QueuedPaper[] }>()(() => ({ jobs: [] }));

/** Print queue of the receipt printer; the desktop application keeps it, so that it survives a reload. */
export const usePaperQueue = () => useQueue((state) => state.jobs);

/** Follows the queue. Once, in the shell of the screens. */
export function useFollowedQueue(): void {
  const { receiptPrinter } = useDesktop();
  useEffect(() => {
    if (receiptPrinter === undefined) return undefined;
    let isOver = false;
    const stop = receiptPrinter.onPaperQueue((jobs) => useQueue.setState({ jobs }));
    void receiptPrinter.readPaperQueue().then((jobs) => !isOver && useQueue.setState({ jobs }));
    return () => {
      isOver = true;
      stop();
    };
  }, [receiptPrinter]);
}
