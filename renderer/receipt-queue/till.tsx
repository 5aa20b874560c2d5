import { useEffect, useRef } from 'react';
import { useDesktop } from '#renderer/desktop';
import { useFollowedQueue, usePaperQueue, usePrinter } from '#renderer/printing';
import { announce } from '#renderer/ui';
import { DrawerDialog } from './drawer-dialog.tsx';
import { QueueDialog } from './queue-dialog.tsx';
import { TearOffBar } from './tear-off-bar.tsx';
import { closeTillDialog, useTillDialog } from './till-dialogs.ts';
import { useOrphanCounts } from './use-orphans.ts';

/** Dialogs and notices of the receipt printer over every screen (experience 2.4). Empty in a browser. */
export function Till() {
  const { receiptPrinter } = useDesktop();
  const printer = usePrinter();
  const jobs = usePaperQueue();
  const dialog = useTillDialog();
  useFollowedQueue();
  useOrphanCounts();
  useFailuresAloud();
  if (receiptPrinter === undefined) return null;
  // The piece that its printer would print now.
  const torn = jobs.find(({ state }) => state === 'waiting' || state === 'tearing');
  return (
    <>
      {torn?.state === 'tearing' && <TearOffBar job={torn} receiptPrinter={receiptPrinter} />}
      {dialog === 'queue' && <QueueDialog receiptPrinter={receiptPrinter} onClose={closeTillDialog} />}
      {dialog === 'drawer' && printer?.drawerPin && (
        <DrawerDialog receiptPrinter={receiptPrinter} pin={printer.drawerPin} printer={printer.name} onClose={closeTillDialog} />
      )}
    </>
  );
}

/** Announces a failed later copy, which has no toast because nobody waits for it. */
function useFailuresAloud(): void {
  const jobs = usePaperQueue();
  const failed = jobs.filter(({ state }) => state === 'failed').length;
  const known = useRef(0);
  useEffect(() => {
    if (failed > known.current) announce(`${failed} not printed. Open the print queue.`);
    known.current = failed;
  }, [failed]);
}
