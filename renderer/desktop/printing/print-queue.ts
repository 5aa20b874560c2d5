import { useEffect } from 'react';
import { createStore } from '#renderer/base/module-state';
import { type QueuedPrintJob, useDesktop } from '#renderer/desktop/bridge';

const useQueue = createStore<{ readonly jobs: readonly QueuedPrintJob[] }>()(() => ({ jobs: [] }));

/** Print queue of the receipt printer; the desktop application keeps it, so that it survives a reload. */
export const usePrintQueue = () => useQueue((state) => state.jobs);

/** Keeps the print queue up to date. Used once, in the shell of the screens. */
export function useWatchPrintQueue(): void {
  const { receiptPrinter } = useDesktop();
  useEffect(() => {
    if (receiptPrinter === undefined) return undefined;
    let isUnmounted = false;
    const stop = receiptPrinter.onPrintQueue((jobs) => useQueue.setState({ jobs }));
    void receiptPrinter.readPrintQueue().then((jobs) => !isUnmounted && useQueue.setState({ jobs }));
    return () => {
      isUnmounted = true;
      stop();
    };
  }, [receiptPrinter]);
}
